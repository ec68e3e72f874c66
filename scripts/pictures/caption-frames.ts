/** Draws captions and their emoji as in a video, at single times, over a generated picture. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FfmpegContext } from '../../containers/media/ffmpeg-context.ts'
import { drawFrames } from '../../containers/media/render/frames.ts'
import { type LocalFiles, materialsFor } from '../../containers/media/render/materials.ts'
import { planComposition } from '../../containers/media/render/render-composition.ts'
import { spriteMaterialsFor } from '../../containers/media/render/sprites.ts'
import type { ThemeConfig } from '../../lib/domain/records/theme.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { createMotionKernel } from '../../lib/motion/kernel.ts'
import { readKernel } from '../../lib/motion/kernel-files.ts'
import { builtInImages } from '../../lib/providers/images/built-in.ts'
import type { CompositionPage, ShotMedia } from '../../lib/render/composition.ts'
import type { Size } from '../../lib/render/framing.ts'
import type { RenderPlan } from '../../lib/render/segments/render-plan.ts'

/** Rows of RGB without padding. */
export interface RgbFrame extends Size {
  pixels: Uint8Array
}

export interface CaptionScene {
  size: Size
  theme: ThemeConfig
  pages: CompositionPage[]
  /** The backdrop; default: a generated picture. */
  backdrop?: 'grey'
}

const fps = 30
const timeoutMs = 60_000
const whole = { scale: 1, x: 0.5, y: 0.5 }

/** The frames at these times. */
export async function captionFrames(
  { size, theme, pages, backdrop }: CaptionScene,
  momentsMs: number[],
): Promise<RgbFrame[]> {
  const directory = await mkdtemp(join(tmpdir(), 'captions-'))
  try {
    const place = { directory, timeoutMs, signal: new AbortController().signal }
    const frames = momentsMs.map((ms) => Math.floor((ms * fps) / 1000))
    const durationMs = ((Math.max(...frames) + 1) * 1000) / fps
    const { media, files } = backdrop === 'grey' ? greyOf(size) : await pictureOf(size, directory)
    const shots = [{ startMs: 0, endMs: durationMs, media, motion: { from: whole, to: whole } }]
    const plan = await planComposition({ ...size, fps, durationMs, shots, narrationKey: '', pages, theme }, place)
    return await inRgb(await drawRawFrames(frames, plan, files, place), size, place)
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** The raw frames with these numbers, drawn one by one as in a segment. */
async function drawRawFrames(
  frames: number[],
  plan: RenderPlan,
  files: LocalFiles,
  place: FfmpegContext,
): Promise<Uint8Array[]> {
  const [materialOf, spriteOf] = [materialsFor(plan, files, place), spriteMaterialsFor(files, place)]
  const kernel = await createMotionKernel(plan, plan, readKernel)
  const results: Uint8Array[] = []
  for (const frame of frames) {
    const segment = plan.segments.find(({ toFrame }) => frame < toFrame)!
    const job = {
      segment: { ...segment, fromFrame: frame, toFrame: frame + 1 },
      material: await materialOf(segment.layer),
      fadeMaterial: undefined,
      spriteMaterials: await Promise.all(segment.sprites.map(spriteOf)),
      output: '',
    }
    for await (const raw of drawFrames(job, kernel, plan.fps, place)) results.push(Uint8Array.from(raw))
  }
  return results
}

/** Converts raw frames as players do: BT.709 in limited range. */
async function inRgb(frames: Uint8Array[], { width, height }: Size, place: FfmpegContext): Promise<RgbFrame[]> {
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-i', 'pipe:0']
  const colours = ['-vf', 'scale=in_color_matrix=bt709:in_range=tv,format=rgb24']
  const { output } = await runFfmpeg({
    ...place,
    arguments: ['-v', 'error', ...raw, ...colours, '-f', 'rawvideo', 'pipe:1'],
    input: each(frames),
  })
  const bytes = 3 * width * height
  return frames.map((_, index) => ({ width, height, pixels: output.subarray(index * bytes, (index + 1) * bytes) }))
}

async function* each(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

interface Backdrop {
  media: ShotMedia
  files: LocalFiles
}

/** Grey with a luma of 128. */
function greyOf({ width, height }: Size): Backdrop {
  const rect = '<rect width="100%" height="100%" fill="#828282"/>'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${rect}</svg>`
  return { media: { kind: 'drawing', svg }, files: new Map() }
}

/** A picture of the built-in image provider. */
async function pictureOf(size: Size, directory: string): Promise<Backdrop> {
  const request = { prompt: 'mountains at dusk', keywords: ['mountains'], mood: null, seed: 'captions' }
  const { bytes } = await builtInImages.draw({ ...request, ...size })
  const path = join(directory, 'backdrop.png')
  await writeFile(path, bytes)
  return { media: { kind: 'still', key: 'backdrop' }, files: new Map([['backdrop', path]]) }
}
