import { afterAll, beforeAll, expect, it } from 'vitest'
import type { VideoResource } from '../../lib/api/resources.ts'
import type { PresentationScene } from '../../lib/domain/timelines/presentation.ts'
import { ask, newDirectory, type Service, startService, until } from './service.ts'

const { directory, remove } = newDirectory()
let service: Service

beforeAll(async () => {
  service = await startService(directory)
})
afterAll(async () => {
  await service.stop()
  remove()
})

it('a generated presentation has scenes that follow its words from the first to the last, and can be cut anew', async () => {
  const text = 'Calm mornings begin at night. First lay out your clothes. Then fill the kettle. Try it today.'
  const { id } = await ask<VideoResource>(service.runtime, 'POST', '/videos', { text, subType: 'presentation' })
  await until(service.runtime, id, ({ process }) => process?.status === 'COMPLETED')
  const path = `/videos/${id}/presentation-scenes`
  const [scenes, { captions }] = await Promise.all([
    ask<PresentationScene[]>(service.runtime, 'GET', path),
    ask<VideoResource>(service.runtime, 'GET', `/videos/${id}?include=captions`),
  ])
  expect(scenes.map((scene) => scene.text).join(' ')).toBe(text)
  expect([scenes[0]!.startMs, scenes.at(-1)!.endMs]).toEqual([0, captions!.at(-1)!.endMs])
  expect(await ask<PresentationScene[]>(service.runtime, 'PUT', path, scenes)).toEqual(scenes)
  const anew = await ask<PresentationScene[]>(service.runtime, 'POST', `${path}/recut`)
  expect(anew.map((scene) => scene.text).join(' ')).toBe(text)
  expect(anew.map((scene) => scene.id)).not.toEqual(scenes.map((scene) => scene.id))
  expect(await ask<PresentationScene[]>(service.runtime, 'GET', path)).toEqual(anew)
})
