/** Moves a still without any key: the camera goes over it as the prompt says, by fractions of a pixel. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CameraMotion, left, motionNamed, near, right, whole } from '../../domain/camera.ts'
import { runFfmpeg } from '../../ffmpeg/run.ts'
import { drawTurned } from '../avatars/turned.ts'
import { even } from '../footage/frames.ts'
import { encoding } from '../footage/generated.ts'
import { planesOf } from '../footage/planes.ts'
import { readStill } from '../images/still.ts'
import type { Animator } from './index.ts'

const fps = 30
/** Decoded so much larger than the frame that the closest framing invents no pixels. */
const overscan = near.scale
/** Around the visible part: drawing a pixel takes its neighbours too. */
const margin = 2

interface Size {
  width: number
  height: number
}

export const cameraAnimator: Animator = {
  // Counts up whenever its motion or the encoding changes, since clips are kept under it.
  id: 'camera-1',
  movesCameraOnly: true,
  async animate({ still, prompt, durationMs, width, height, seed }, { directory, signal }) {
    const frames = Math.max(1, Math.round((durationMs * fps) / 1000))
    const frame = { width, height }
    const source = { width: even(width * overscan) + 2 * margin, height: even(height * overscan) + 2 * margin }
    const rgba = await readStill(still, source, { directory, signal })
    const file = join(directory, 'animated.mp4')
    await runFfmpeg({
      arguments: encoding({ ...frame, frames, fps }, file),
      directory,
      input: framesOf(rgba, source, frame, frames, motionNamed(prompt) ?? motionOf(seed, prompt)),
      timeoutMs: 30_000 + 10 * durationMs,
      signal,
    })
    return { bytes: await readFile(file), durationMs: Math.floor((frames * 1000) / fps), ...frame }
  },
}

/** Where the words say nothing of the camera: one of four ways, always the same for the same picture of the same video. */
function motionOf(seed: string, prompt: string): CameraMotion {
  const ways = [
    { from: whole, to: near },
    { from: near, to: whole },
    { from: left, to: right },
    { from: right, to: left },
  ]
  return ways[createHash('sha256').update(`${seed}/${prompt}`).digest()[0]! % ways.length]!
}

/** Yuv420p frames, one after another in the same buffer: take what you need before you ask for the next. */
async function* framesOf(
  rgba: Uint8Array,
  source: Size,
  { width, height }: Size,
  frames: number,
  { from, to }: CameraMotion,
): AsyncGenerator<Uint8Array, void> {
  const { luma, chroma } = planesOf(rgba, source.width, source.height, 'x')
  const pixels = width * height
  const drawn = new Uint8Array(pixels * 1.5)
  const half = { width: width / 2, height: height / 2 }
  const shown = { width: source.width - 2 * margin, height: source.height - 2 * margin }
  for (let index = 0; index < frames; index++) {
    // At rest at both ends: clips are cut, not faded, into one another.
    const part = frames > 1 ? index / (frames - 1) : 0
    const eased = part * part * (3 - 2 * part)
    const between = (a: number, b: number) => a + (b - a) * eased
    const scale = between(from.scale, to.scale)
    const step = { x: shown.width / scale / width, y: shown.height / scale / height }
    const inverse = {
      xx: step.x,
      xy: 0,
      x: margin + between(from.x, to.x) * (shown.width - shown.width / scale),
      yx: 0,
      yy: step.y,
      y: margin + between(from.y, to.y) * (shown.height - shown.height / scale),
    }
    drawTurned(luma, drawn.subarray(0, pixels), { width, height }, inverse, 1)
    drawTurned(chroma[0], drawn.subarray(pixels, pixels * 1.25), half, inverse, 2)
    drawTurned(chroma[1], drawn.subarray(pixels * 1.25), half, inverse, 2)
    yield drawn
  }
}
