import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { VideoResource } from '../../lib/contract/resources/index.ts'
import type { PresentationScene } from '../../lib/domain/generation/scenes/presentation-scenes.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { type PictureServer, startPictureServer } from '../support/picture-server.ts'
import { type ApiCredentials, callApiOf, temporaryDataDirectory, waitForVideo } from './service-process.ts'
import { newApiClient } from './shared-service.ts'

let client: ApiCredentials

/** Has a logo, and nothing else. */
const red =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60"><rect width="120" height="60" fill="#e00000"/></svg>'
let website: PictureServer

beforeAll(async () => {
  client = await newApiClient()
  website = await startPictureServer({ '/logo.png': (response) => response.end(new Resvg(red).render().asPng()) })
})
afterAll(() => website.close())

it('a generated presentation has scenes that cover its words from the first to the last, and can be cut again', async () => {
  const text = 'Calm mornings begin at night. First lay out your clothes. Then fill the kettle. Try it today.'
  const { id } = await callApiOf<VideoResource>(client, 'POST', '/videos', {
    text,
    subType: 'presentation',
    aspectRatio: '1:1',
  })
  await waitForVideo(client, id, ({ process }) => process?.status === 'COMPLETED')
  const path = `/videos/${id}/presentation-scenes`
  const [scenes, { captions }] = await Promise.all([
    callApiOf<PresentationScene[]>(client, 'GET', path),
    callApiOf<VideoResource>(client, 'GET', `/videos/${id}?include=captions`),
  ])
  expect(scenes.map((scene) => scene.text).join(' ')).toBe(text)
  expect([scenes[0]!.startMs, scenes.at(-1)!.endMs]).toEqual([0, captions!.at(-1)!.endMs])
  expect(await callApiOf<PresentationScene[]>(client, 'PUT', path, scenes)).toEqual(scenes)
  const anew = await callApiOf<PresentationScene[]>(client, 'POST', `${path}/recut`)
  expect(anew.map((scene) => scene.text).join(' ')).toBe(text)
  expect(anew.map((scene) => scene.id)).not.toEqual(scenes.map((scene) => scene.id))
  expect(await callApiOf<PresentationScene[]>(client, 'GET', path)).toEqual(anew)
})

it('a presentation is rendered as slides in the colours of its theme, with its logo; a missing picture is left out', async () => {
  const text = 'Two words matter.'
  const brief = { text, subType: 'presentation', aspectRatio: '1:1', process: { addBRolls: false } }
  const { id } = await callApiOf<VideoResource>(client, 'POST', '/videos', brief)
  await waitForVideo(client, id, ({ process }) => process?.status === 'COMPLETED')
  const path = `/videos/${id}/presentation-scenes`
  const scenes = await callApiOf<PresentationScene[]>(client, 'GET', path)
  const plain = scenes.map((scene) => ({ ...scene, tone: 'light', template: 'heroTitle' }))
  await callApiOf(client, 'PUT', path, plain)
  await callApiOf(client, 'PATCH', `/videos/${id}/config`, {
    presentationBackground: 'plain',
    presentationBackgroundColor: '#204060',
    presentationInkColor: '#ffffff',
    presentationLogoUrl: website.url('/logo.png'),
    presentationIconUrl: website.url('/nothing.png'),
  })
  await callApiOf(client, 'POST', `/videos/${id}/render`)
  const { render, media } = await waitForVideo(client, id, ({ render }) =>
    ['COMPLETED', 'FAILED'].includes(render?.status ?? ''),
  )
  expect(render).toMatchObject({ status: 'COMPLETED', error: null })

  const pixels = await frameOf(media.renderUrl!)
  const at = (x: number, y: number) => [...pixels.subarray(3 * (y * 1080 + x), 3 * (y * 1080 + x) + 3)]
  const near = (colour: number[], wanted: number[]) => colour.every((channel, i) => Math.abs(channel - wanted[i]!) < 8)
  expect(near(at(1000, 1000), [0x20, 0x40, 0x60]), String(at(1000, 1000))).toBe(true)
  expect(near(at(130, 95), [0xe0, 0, 0]), String(at(130, 95))).toBe(true)
  const inked = Array.from({ length: 1080 * 1080 }, (_, i) => pixels[3 * i]!).filter((level) => level > 240)
  expect(inked.length).toBeGreaterThan(5_000)
})

/** A frame of a render near its end, as RGB. */
async function frameOf(url: string): Promise<Buffer> {
  const { directory, remove } = temporaryDataDirectory()
  onTestFinished(remove)
  const place = { directory, timeoutMs: 60_000 }
  writeFileSync(join(directory, 'film.mp4'), Buffer.from(await (await fetch(url)).arrayBuffer()))
  const filter = 'scale=in_color_matrix=bt709,format=rgb24'
  const last = ['-sseof', '-0.5', '-i', 'film.mp4', '-frames:v', '1', '-vf', filter, '-f', 'rawvideo', 'pipe:1']
  return (await runFfmpeg({ ...place, arguments: ['-v', 'error', ...last] })).output
}
