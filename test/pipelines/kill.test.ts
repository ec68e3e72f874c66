import { afterAll, describe, expect, it } from 'vitest'
import type { VideoResource } from '../../lib/api/resources.ts'
import { admin, ask, newDirectory, type Service, startService, until } from './service.ts'

const { directory, remove } = newDirectory()
let service: Service
afterAll(async () => {
  await service?.stop()
  remove()
})

const script =
  'This film is made while the machine fails. It is killed in the middle of the generation, and again in the middle of the render.'

describe('kill -9 of the whole service', () => {
  it('in the middle of a generation and of a render: both jobs finish, one video, one set of events', async () => {
    service = await startService(directory)
    const { id } = await ask<VideoResource>(service.runtime, 'POST', '/videos', {
      text: script,
      aspectRatio: '1:1',
      process: { render: true },
    })
    await until(service.runtime, id, ({ process }) => process!.progress >= 40)
    await service.kill()

    service = await startService(directory)
    await until(service.runtime, id, ({ render }) => (render?.progress ?? 0) >= 10)
    await service.kill()

    service = await startService(directory)
    const video = await until(service.runtime, id, ({ status }) => status === 'ready')
    expect(video.process).toMatchObject({ status: 'COMPLETED', progress: 100, error: null })
    expect(video.render).toMatchObject({ status: 'COMPLETED', progress: 100, error: null })
    expect((await fetch(video.media.renderUrl!)).status).toBe(200)

    const list = await ask<VideoResource[]>(service.runtime, 'GET', '/videos')
    expect(list.map((item) => item.id)).toEqual([id])
    const events = await admin<{ type: string; takenAt: string | null }[]>(
      directory,
      'event',
      'list',
      '--workspace',
      service.runtime.workspaceId,
    )
    expect(events.map(({ type }) => type)).toEqual([
      'video.created',
      'video.generation_completed',
      'video.render_completed',
    ])
    expect(events.every(({ takenAt }) => takenAt !== null)).toBe(true)
    const account = await ask<{ credits: { used: number }; limits: { generations: { used: number } } }>(
      service.runtime,
      'GET',
      '/',
    )
    expect(account.credits.used).toBe(10)
    expect(account.limits.generations.used).toBe(1)
  }, 240_000)
})
