/**
 * The command `canary`: renders one fixed video and logs its hash, to compare the workers of a deployment. A function and
 * a task must give the same bytes, because each continues with the segments of the other. Stores only a difference.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { putObject } from '../../../lib/aws/media-bucket.ts'
import { laneDifferenceKey } from '../../../lib/domain/core/artefact.ts'
import { runFfmpeg } from '../../../lib/ffmpeg/run.ts'
import { log } from '../../../lib/log.ts'
import { encodeClipArguments } from '../../../lib/providers/footage/built-in.ts'
import type { Composition, Shot } from '../../../lib/render/composition.ts'
import { encodeJpegArguments } from '../../../lib/render/ffmpeg-arguments.ts'
import { encodeWav } from '../../../lib/render/sound/wav.ts'
import type { TaskContext } from '../task.ts'
import { renderComposition } from './render-composition.ts'
import { toolchainFingerprint } from './toolchain-fingerprint.ts'

const size = { width: 540, height: 960 }
const timeoutMs = 60_000
const sampleRate = 22_050

const motion: Shot['motion'] = { from: { scale: 1, x: 0.5, y: 0.5 }, to: { scale: 1.15, x: 0.4, y: 0.6 } }
const stripes = `<svg xmlns="http://www.w3.org/2000/svg" width="540" height="960"><rect width="540" height="960" fill="#204060"/><path d="M0 960L540 0" stroke="#f0b030" stroke-width="90"/></svg>`

/** A still, a clip and a drawing with crossfades, captions, a title and music: everything that draws and encodes. */
const composition: Composition = {
  ...size,
  fps: 30,
  durationMs: 1_500,
  shots: [
    { startMs: 0, endMs: 500, media: { kind: 'still', key: 'still' }, motion },
    { startMs: 500, endMs: 1_000, media: { kind: 'clip', key: 'clip' }, motion },
    { startMs: 1_000, endMs: 1_500, media: { kind: 'drawing', svg: stripes }, motion },
  ],
  narrationKey: 'narration',
  music: { mood: 'calm', seed: 'canary' },
  pages: [
    {
      startMs: 100,
      endMs: 1_300,
      words: [
        { punctuated_word: 'Same', startMs: 100, endMs: 700 },
        { punctuated_word: 'bytes', startMs: 700, endMs: 1_300 },
      ],
    },
  ],
  theme: {},
  title: 'Same bytes',
}

interface CanaryResult {
  /** Of the mp4 and the thumbnail. */
  sha256: string
  /** The fingerprint of the toolchain. */
  tools: string
}

/** What two workers rendered that should have been equal. */
export interface LaneDifference {
  sha256: string
  /** The hash of the worker before. */
  expected: string
}

/** Throws where `expected`, the hash of another worker, differs, and stores both: a task returns nothing but its exit code. */
export async function runCanary(
  context: TaskContext,
  { runId }: { runId: string },
  [expected]: readonly string[] = [],
): Promise<CanaryResult> {
  const result = await renderCanary(context)
  log.info('canary.rendered', { ...result })
  const { sha256 } = result
  if (expected === undefined || expected === sha256) return result
  const difference: LaneDifference = { sha256, expected }
  await putObject(laneDifferenceKey(runId), Buffer.from(JSON.stringify(difference)), 'application/json')
  throw new Error(`The canary has the hash ${sha256}, but another worker rendered ${expected}.`)
}

async function renderCanary({ directory, signal }: TaskContext): Promise<CanaryResult> {
  const context = { directory, signal, timeoutMs }
  const scratch = join(directory, 'canary')
  await mkdir(scratch)
  const { videoPath, thumbnailPath } = await renderComposition({
    composition,
    files: await createMedia(context),
    directory: scratch,
    onProgress: () => {},
    signal,
    timeoutMs,
  })
  const hash = createHash('sha256')
  for (const path of [videoPath, thumbnailPath]) hash.update(await readFile(path))
  return { sha256: hash.digest('hex'), tools: await toolchainFingerprint(context) }
}

/** Writes the media of the composition. Returns paths by key. */
async function createMedia(context: TaskContext & { timeoutMs: number }): Promise<Map<string, string>> {
  const path = (name: string) => join(context.directory, name)
  const still = await runFfmpeg({ ...context, arguments: encodeJpegArguments(size), input: [texture()] })
  await writeFile(path('still.jpg'), still.output)
  const camera = ['-vf', 'crop=270:480:8*n:5*n,format=yuv420p', ...encodeClipArguments(path('clip.mp4'))]
  const input = ['-loop', '1', '-framerate', '30', '-t', '0.6', '-i', path('still.jpg')]
  await runFfmpeg({ ...context, arguments: ['-v', 'error', ...input, ...camera] })
  await writeFile(path('narration.wav'), encodeWav({ sampleRate, samples: tone() }))
  return new Map([
    ['still', path('still.jpg')],
    ['clip', path('clip.mp4')],
    ['narration', path('narration.wav')],
  ])
}

/** RGB rows of stripes with noise. */
function texture(): Uint8Array {
  const { width, height } = size
  const pixels = new Uint8Array(3 * width * height)
  for (let i = 0; i < pixels.length; i++) {
    const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)]
    pixels[i] = 40 + ((x + 2 * y + 60 * (i % 3)) % 160) + (Math.imul((x >> 2) ^ (y << 3), 2_654_435_761) >>> 27)
  }
  return pixels
}

/** A second and a half of a tone that swells. */
const tone = (): Int16Array =>
  Int16Array.from({ length: 1.5 * sampleRate }, (_, i) => {
    const time = i / sampleRate
    return 6_000 * Math.sin(2 * Math.PI * 180 * time) * Math.sin(2 * Math.PI * 1.5 * time)
  })
