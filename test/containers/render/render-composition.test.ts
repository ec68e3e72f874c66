import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { renderComposition } from '../../../containers/media/render/render-composition.ts'
import type { RenderRequest } from '../../../containers/media/render/render-request.ts'
import { listVideoPackets, probeMedia } from '../../../lib/ffmpeg/probe.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { measureLoudness } from '../../../lib/render/sound/loudness.ts'
import { composition, createTestMedia, fullFrame, newRenderDirectory, page, shot } from '../../render/compositions.ts'

const place = { directory: newRenderDirectory(), timeoutMs: 60_000 }
let files: Map<string, string>
beforeAll(async () => {
  files = await createTestMedia()
})

function render(changes: Parameters<typeof composition>[0] = {}, request: Partial<RenderRequest> = {}) {
  return renderComposition({
    composition: composition(changes),
    files,
    directory: newRenderDirectory(),
    onProgress: () => {},
    signal: new AbortController().signal,
    timeoutMs: 60_000,
    // Starting a thread takes longer than rendering these videos; `determinism.test.ts` tests that more threads make
    // the same bytes.
    threads: 1,
    ...request,
  })
}

/** The colours of one pixel in every frame. */
async function watch(videoPath: string, x: number, y: number): Promise<number[][]> {
  // Cropping is exact to two pixels, as colours are.
  const filter = `crop=2:2:${x}:${y},scale=in_color_matrix=bt709,format=rgb24`
  const raw = ['-vf', filter, '-f', 'rawvideo', 'pipe:1']
  const { output } = await runFfmpeg({ ...place, arguments: ['-v', 'error', '-i', videoPath, ...raw] })
  return Array.from({ length: output.length / 12 }, (_, i) => [...output.subarray(12 * i, 12 * i + 3)])
}

const everything = {
  durationMs: 2500,
  shots: [shot('picture', 0, 1000), shot('clip', 1000, 2500, 'clip')],
  pages: [page('the first hour', 0, 400), page('of the day', 1200, 400)],
}

describe('a rendered video', () => {
  it('has all its frames, evenly spaced, sound, an index at the front and a thumbnail', async () => {
    const percents: number[] = []
    // Puts wait for the flush after the last segment, as in a batch.
    const flushed = Promise.withResolvers<void>()
    const store = { fetch: async () => false, put: () => flushed.promise, flush: flushed.resolve }
    const made = await render(everything, { onProgress: (percent) => percents.push(percent), store })
    expect(made).toMatchObject({ durationMs: 2500, frames: 75, bytes: readFileSync(made.videoPath).length })

    const { pts, timescale } = await listVideoPackets(made.videoPath, 'mov', place)
    expect(pts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 75 }, (_, i) => i * 512 + Math.min(...pts)))
    expect(timescale).toBe(15_360)
    const facts = await probeMedia(made.videoPath, 'mov', place)
    expect(facts).toMatchObject({
      video: { codec: 'h264', width: 270, height: 480, fps: 30, colours: 'bt709' },
      audio: { codec: 'aac', sampleRate: 48_000 },
    })
    expect(Math.abs(facts.durationMs! - 2500)).toBeLessThan(30)
    const bytes = readFileSync(made.videoPath)
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
    expect(await probeMedia(made.thumbnailPath, 'jpeg_pipe', place)).toMatchObject({
      video: { width: 720, height: 1280 },
    })

    expect(percents[0]).toBe(0)
    expect(percents).toEqual(percents.toSorted((a, b) => a - b))
    expect(percents.at(-1)).toBe(99)
  })

  it.each([
    [480, 270],
    [300, 300],
    [240, 300],
    [270, 480],
  ])('can be %i x %i, with pictures and clips of other aspect ratios', async (width, height) => {
    const shots = [shot('wide', 0, 300, 'clip'), shot('picture', 300, 600), shot('clip', 600, 900, 'clip')]
    const { videoPath, frames } = await render({ width, height, durationMs: 900, shots, pages: [page('hello')] })
    expect(frames).toBe(27)
    expect(await probeMedia(videoPath, 'mov', place)).toMatchObject({ video: { width, height } })
  })

  it('fades from one shot to the next over 12 frames and shows nothing else', async () => {
    const { videoPath } = await render({ durationMs: 1600, shots: [shot('red', 0, 800), shot('blue', 800, 1600)] })
    const reds = (await watch(videoPath, 20, 20)).map(([red]) => red!)
    expect(Math.abs(reds[23]! - 0xc0)).toBeLessThan(6)
    expect(Math.abs(reds[36]! - 0x20)).toBeLessThan(6)
    const steps = reds.slice(24, 36).map((red, i) => reds[23 + i]! - red)
    expect(Math.min(...steps)).toBeGreaterThan(2)
    expect(Math.max(...steps)).toBeLessThan(24)
  })

  it('draws the spoken word in the colour of the theme and the others in white, on an outline', async () => {
    const pages = [page('III WWW', 0, 500)]
    const theme = { captionsVerticalPosition: 50, captionsFontSize: 150, layoutMode: 'single-line' as const }
    const { videoPath } = await render({ durationMs: 1000, shots: [shot('blue', 0, 1000)], pages, theme })
    const raw = [
      '-vf',
      'trim=start_frame=10:end_frame=11,scale=in_color_matrix=bt709,format=rgb24',
      '-f',
      'rawvideo',
      'pipe:1',
    ]
    const { output } = await runFfmpeg({ ...place, arguments: ['-v', 'error', '-i', videoPath, ...raw] })
    const near = (colour: number[]) =>
      Array.from({ length: output.length / 3 }, (_, i) => output.subarray(3 * i, 3 * i + 3)).filter((pixel) =>
        pixel.every((channel, i) => Math.abs(channel - colour[i]!) <= 0.05 * 255),
      ).length
    expect(near([0x39, 0xe5, 0x08])).toBeGreaterThan(200)
    expect(near([255, 255, 255])).toBeGreaterThan(200)
    expect(near([0, 0, 0])).toBeGreaterThan(200)
  })

  it('loops a clip if the shot is longer', async () => {
    const motion = { from: fullFrame, to: fullFrame }
    const shots = [{ ...shot('clip', 0, 2100, 'clip'), motion }]
    const { videoPath, frames } = await render({ durationMs: 2100, shots })
    expect(frames).toBe(63)
    // The test pattern counts seconds and moves; a second later, it is at the same position.
    const seen = await watch(videoPath, 200, 150)
    const distance = (a: number[], b: number[]) => Math.max(...a.map((channel, i) => Math.abs(channel - b[i]!)))
    for (let frame = 0; frame < 33; frame++) expect(distance(seen[frame]!, seen[frame + 30]!)).toBeLessThan(40)
  })

  it.each([
    ['a voice', {}],
    ['a voice and music', { music: { mood: 'energetic', seed: 'one' } }],
  ] as const)('is as loud as platforms expect, without peaks above -1 dBFS: %s', async (_, changes) => {
    const { videoPath } = await render(changes)
    const raw = ['-map', '0:a', '-f', 'f32le', '-ac', '1', 'pipe:1']
    const { output } = await runFfmpeg({ ...place, arguments: ['-v', 'error', '-i', videoPath, ...raw] })
    const samples = new Float32Array(output.buffer.slice(output.byteOffset, output.byteOffset + output.length))
    expect(Math.abs(measureLoudness(samples, 48_000) + 14)).toBeLessThan(0.5)
    expect(samples.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0)).toBeLessThan(10 ** (-1 / 20))
  })
})

describe('a render that cannot be done', () => {
  const broken = (key: string, content: string | Uint8Array) => {
    const path = join(newRenderDirectory(), 'broken')
    writeFileSync(path, content)
    return new Map([...files, [key, path]])
  }
  it('bad-composition: gives the reason', async () => {
    await expect(render({ width: 271 })).rejects.toMatchObject({ code: 'bad-composition', message: /even/ })
  })
  it('bad-media: names the file that is missing', async () => {
    await expect(render({ shots: [shot('nothing', 0, 2000)] })).rejects.toMatchObject({
      code: 'bad-media',
      message: /nothing/,
    })
  })
  it('bad-media: names the file that is not a picture, whatever its type claims', async () => {
    await expect(render({}, { files: broken('red', '#EXTM3U') })).rejects.toMatchObject({
      code: 'bad-media',
      message: /red/,
    })
    const cut = readFileSync(files.get('red')!).subarray(0, 40)
    await expect(render({}, { files: broken('red', cut) })).rejects.toMatchObject({ code: 'bad-media', message: /red/ })
    const clip = readFileSync(files.get('clip')!).subarray(0, 900)
    const shots = [shot('clip', 0, 2000, 'clip')]
    await expect(render({ shots }, { files: broken('clip', clip) })).rejects.toMatchObject({
      code: 'bad-media',
      message: /clip/,
    })
  })
  it('bad-media: names a clip that has no video stream', async () => {
    const path = join(newRenderDirectory(), 'sound.mp4')
    const tone = ['-f', 'lavfi', '-i', 'sine=d=1', '-c:a', 'aac']
    await runFfmpeg({ ...place, arguments: ['-v', 'error', ...tone, path] })
    await expect(
      render({ shots: [shot('mute', 0, 2000, 'clip')] }, { files: new Map([...files, ['mute', path]]) }),
    ).rejects.toMatchObject({ code: 'bad-media', message: /The clip mute has no video stream/ })
  })
  it('bad-media: refuses a narration that is not 16-bit mono', async () => {
    const stereo = readFileSync(files.get('narration')!)
    stereo.writeUInt16LE(2, 22)
    await expect(render({}, { files: broken('narration', stereo) })).rejects.toMatchObject({
      code: 'bad-media',
      message: /mono/,
    })
  })
  it('timeout: ends at its deadline', async () => {
    const shots = [shot('picture', 0, 60_000)]
    await expect(render({ durationMs: 60_000, shots }, { timeoutMs: 1000, threads: 2 })).rejects.toMatchObject({
      code: 'timeout',
    })
    expect(ffmpegsOfThisProcess()).toBe(0)
  })
  it('cancelled: ends at once, with all its processes', async () => {
    const cancel = new AbortController()
    let cancelledAt = 0
    const onProgress = (percent: number) => {
      if (percent === 0 || cancelledAt > 0) return
      cancelledAt = performance.now()
      cancel.abort()
    }
    const shots = [shot('picture', 0, 30_000), shot('clip', 30_000, 60_000, 'clip')]
    const rendering = render({ durationMs: 60_000, shots }, { onProgress, signal: cancel.signal, threads: 2 })
    await expect(rendering).rejects.toMatchObject({ code: 'cancelled' })
    // The rest of this render takes much longer, also on a machine that is busy with other tests.
    expect(performance.now() - cancelledAt).toBeLessThan(10_000)
    expect(ffmpegsOfThisProcess()).toBe(0)
  })
  it('cancelled: does not start if it was cancelled before', async () => {
    await expect(render({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' })
  })
})

/** Running ffmpeg children, from Linux' /proc; 0 elsewhere. */
function ffmpegsOfThisProcess(): number {
  if (process.platform !== 'linux') return 0
  return readdirSync('/proc').filter((pid) => {
    try {
      const [, name, state, parent] = /\((.*)\) (\w) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      return name === 'ffmpeg' && state !== 'Z' && Number(parent) === process.pid
    } catch {
      // Not a process, or one that has ended since.
      return false
    }
  }).length
}
