/** Incompatible segments are not joined: whatever is in the store, the render can be played. */
import { hash } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { joinSegments } from '../../../containers/media/render/join-segments.ts'
import { readMp4Index } from '../../../containers/media/render/mp4-index.ts'
import { renderComposition } from '../../../containers/media/render/render-composition.ts'
import type { SegmentFile } from '../../../containers/media/render/segment-files.ts'
import { listVideoPackets } from '../../../lib/ffmpeg/probe.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { planRender } from '../../../lib/render/segments/render-plan.ts'
import { composition, createTestMedia, newRenderDirectory } from '../../render/compositions.ts'

const place = { directory: newRenderDirectory(), timeoutMs: 60_000, signal: new AbortController().signal }
const path = (file: string) => join(place.directory, file)
const ffmpeg = (...args: string[]) => runFfmpeg({ ...place, arguments: ['-v', 'error', ...args] })
const codec = ['-c:v', 'libx264', '-preset', 'superfast', '-video_track_timescale', '15360']
/** One second of video. */
const encode = (file: string, source: string, ...otherwise: string[]) =>
  ffmpeg('-f', 'lavfi', '-i', `${source}=s=270x480:r=30:d=1`, '-pix_fmt', 'yuv420p', ...codec, ...otherwise, file)

const plan = planRender(composition())
const partOf = (file: string, index: number) => ({ file, segment: plan.segments[index]! }) as SegmentFile
const joined = (...files: string[]) => joinSegments(plan, files.map(partOf), 'sound.m4a', 'film.mp4', place)

beforeAll(async () => {
  await ffmpeg('-f', 'lavfi', '-i', 'anullsrc=r=48000:cl=mono', '-t', '2', '-c:a', 'aac', 'sound.m4a')
  await encode('one.mp4', 'testsrc')
  await encode('two.mp4', 'color')
  await encode('foreign.mp4', 'testsrc', '-x264-params', 'cabac=0')
})

it('segments with the same encoding are joined, whatever they show', async () => {
  const settings = async (file: string) => (await readMp4Index(path(file)))?.decoderSettings
  expect(await settings('one.mp4')).toEqual(await settings('two.mp4'))
  const sha256 = await joined('one.mp4', 'two.mp4')
  expect(sha256).toBe(hash('sha256', readFileSync(path('film.mp4'))))
})

it('failed: a segment of another encoder, which players could not decode after the first', async () => {
  await expect(joined('one.mp4', 'foreign.mp4')).rejects.toMatchObject({ code: 'failed', message: /foreign\.mp4/ })
})

it('failed: a truncated segment', async () => {
  await ffmpeg('-i', 'one.mp4', '-c', 'copy', '-f', 'h264', 'raw.mp4')
  await expect(joined('one.mp4', 'raw.mp4')).rejects.toMatchObject({ code: 'failed', message: /raw\.mp4/ })
})

it('the index has the presentation time of each frame, as ffmpeg reads it', async () => {
  await ffmpeg('-i', 'one.mp4', '-i', 'sound.m4a', '-map', '1:a', '-map', '0:v', '-c', 'copy', 'sound-first.mp4')
  for (const file of ['one.mp4', 'sound-first.mp4']) {
    const { pts, timescale } = await listVideoPackets(file, 'mov', place)
    const { times, timescale: ticks } = (await readMp4Index(path(file)))!
    // ffmpeg counts from the start that the edit list sets.
    const begin = Math.min(...times) - Math.min(...pts)
    expect([ticks, times]).toEqual([timescale, pts.map((time) => time + begin)])
  }
})

it('a file without its last byte has no index, even if everything but the frames is complete', async () => {
  await ffmpeg('-i', 'one.mp4', '-c', 'copy', '-movflags', '+faststart', 'whole.mp4')
  expect(await readMp4Index(path('whole.mp4'))).toBeDefined()
  writeFileSync(path('short.mp4'), readFileSync(path('whole.mp4')).subarray(0, -1))
  expect(await readMp4Index(path('short.mp4'))).toBeUndefined()
})

it('a video is rendered again if the store has a foreign segment', async () => {
  const files = await createTestMedia()
  const store = newRenderDirectory()
  const render = () =>
    renderComposition({
      ...{
        composition: composition(),
        files,
        directory: newRenderDirectory(),
        onProgress: () => {},
        timeoutMs: 60_000,
      },
      signal: place.signal,
      store: {
        fetch: async (name, to) => {
          const isThere = existsSync(join(store, name))
          if (isThere) copyFileSync(join(store, name), to)
          return isThere
        },
        put: async (name, from) => copyFileSync(from, join(store, name)),
      },
    })
  const { parts, sha256 } = await render()
  copyFileSync(path('foreign.mp4'), join(store, parts.filter((name) => name.endsWith('.mp4'))[1]!))
  expect(await render()).toMatchObject({ sha256, reuse: { reused: 0 } })
})
