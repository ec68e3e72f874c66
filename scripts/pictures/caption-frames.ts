/** Draws captions as a film would show them, at single moments, over a picture of our own. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { captionFonts, prepareCaptions } from '../../containers/render/captions.ts'
import type { ThemeConfig } from '../../lib/domain/theme.ts'
import { limitedInput } from '../../lib/ffmpeg/limits.ts'
import { runFfmpeg } from '../../lib/ffmpeg/run.ts'
import { drawnImages } from '../../lib/providers/images/drawn.ts'
import { loadStill } from '../../lib/render/arguments.ts'
import type { CompositionPage } from '../../lib/render/composition.ts'
import type { Size } from '../../lib/render/motion.ts'

/** Rows of RGB without padding. */
export interface Frame extends Size {
  pixels: Uint8Array
}

export interface CaptionScene {
  size: Size
  theme: ThemeConfig
  pages: CompositionPage[]
  /** What is behind the captions; a picture of our own where this is absent. */
  backdrop?: 'grey'
}

export const fps = 30
const timeoutMs = 60_000
export const backdrop = { prompt: 'mountains at dusk', keywords: ['mountains'], mood: null, seed: 'captions' }

/** The frames that are on the screen at these moments. */
export async function captionFrames(scene: CaptionScene, momentsMs: number[]): Promise<Frame[]> {
  const { size, theme, pages } = scene
  const directory = await mkdtemp(join(tmpdir(), 'captions-'))
  try {
    const place = { directory, timeoutMs, signal: new AbortController().signal }
    const last = Math.max(...momentsMs)
    const composition = { ...size, fps, durationMs: last, shots: [], narrationKey: '', pages, theme }
    const { script } = (await prepareCaptions(composition, place))(pages)
    await writeFile(join(directory, 'captions.ass'), script)
    const picture = scene.backdrop ? greyFrame(size) : await drawBackdrop(size, directory)
    const frames = momentsMs.map((ms) => Math.floor((ms * fps) / 1000))
    const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${size.width}x${size.height}`, '-r', String(fps)]
    const draw = `ass=captions.ass:fontsdir=${captionFonts},scale=in_color_matrix=bt709:in_range=tv,format=rgb24`
    const { output } = await runFfmpeg({
      ...place,
      arguments: ['-v', 'error', ...raw, '-i', 'pipe:0', '-vf', draw, '-f', 'rawvideo', 'pipe:1'],
      input: repeated(picture, Math.max(...frames) + 1),
    })
    const bytes = 3 * size.width * size.height
    return frames.map((frame) => ({ ...size, pixels: output.subarray(frame * bytes, (frame + 1) * bytes) }))
  } finally {
    await rm(directory, { recursive: true })
  }
}

async function* repeated(chunk: Uint8Array, times: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < times; i++) yield chunk
}

const greyFrame = ({ width, height }: Size) => new Uint8Array((width * height * 3) / 2).fill(128)

/** A raw frame of the picture that the films of the built-in artist would show. */
async function drawBackdrop(size: Size, directory: string): Promise<Uint8Array> {
  const { bytes } = await drawnImages.draw({ ...backdrop, ...size })
  await writeFile(join(directory, 'backdrop.png'), bytes)
  const input = limitedInput(join(directory, 'backdrop.png'), 'png_pipe')
  await runFfmpeg({ directory, timeoutMs, arguments: loadStill(input, size, 'backdrop.yuv') })
  return readFile(join(directory, 'backdrop.yuv'))
}
