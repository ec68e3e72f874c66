/** Moves a still without any key: the camera goes over it as the prompt says, by fractions of a pixel. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CameraMotion,
  closeFrame,
  fullFrame,
  leftFrame,
  motionFromPrompt,
  rightFrame,
} from '../../domain/generation/scenes/camera.ts'
import { runFfmpeg } from '../../ffmpeg/run.ts'
import { createMotionKernel } from '../../motion/kernel.ts'
import { framingAt, type Size, sourceSize } from '../../render/framing.ts'
import { encodeRawArguments } from '../footage/built-in.ts'
import { decodeStill } from '../images/still.ts'
import type { Animator } from './index.ts'

const fps = 30

export const builtInAnimator: Animator = {
  // Counts up whenever its motion or the encoding changes, since clips are kept under it.
  id: 'camera-2',
  movesCameraOnly: true,
  async animate({ still, prompt, durationMs, width, height, seed }, { directory, signal }) {
    const frames = Math.max(1, Math.round((durationMs * fps) / 1000))
    const frame = { width, height }
    const motion = motionFromPrompt(prompt) ?? motionOf(seed, prompt)
    const size = sourceSize(motion, frame)
    const picture = { size, bytes: await decodeStill(still, size, { directory, signal }) }
    const file = join(directory, 'animated.mp4')
    await runFfmpeg({
      arguments: encodeRawArguments({ ...frame, frames, fps }, file),
      directory,
      input: framesOf(picture, frame, frames, motion),
      timeoutMs: 30_000 + 10 * durationMs,
      signal,
    })
    return { bytes: await readFile(file), durationMs: Math.floor((frames * 1000) / fps), ...frame }
  },
}

/** Where the words say nothing of the camera: one of four ways, always the same for the same picture of the same video. */
function motionOf(seed: string, prompt: string): CameraMotion {
  const ways = [
    { from: fullFrame, to: closeFrame },
    { from: closeFrame, to: fullFrame },
    { from: leftFrame, to: rightFrame },
    { from: rightFrame, to: leftFrame },
  ]
  return ways[createHash('sha256').update(`${seed}/${prompt}`).digest()[0]! % ways.length]!
}

/** Yuv420p frames, one after another in the same buffer: take what you need before you ask for the next. */
async function* framesOf(
  { size, bytes }: { size: Size; bytes: Uint8Array },
  frame: Size,
  frames: number,
  motion: CameraMotion,
): AsyncGenerator<Uint8Array, void> {
  const kernel = await createMotionKernel(frame, size)
  const picture = kernel.pictureBuffer(0, size)
  picture.bytes.set(bytes)
  for (let index = 0; index < frames; index++) {
    // At rest at both ends: clips are cut, not faded, into one another.
    kernel.drawPicture(picture, framingAt(motion, frames > 1 ? index / (frames - 1) : 0, 'gentle'))
    yield kernel.frame
  }
}
