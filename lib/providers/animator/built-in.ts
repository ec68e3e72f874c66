/** Built-in animator: a camera move over the still, at subpixel steps. Needs no key and no network. */
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
import { readKernel } from '../../motion/kernel-files.ts'
import { framingAt, type Size, sourceSize } from '../../render/framing.ts'
import { encodeRawArguments } from '../footage/built-in.ts'
import { decodeStill } from '../images/still.ts'
import type { Animator } from './index.ts'

const fps = 30

export const builtInAnimator: Animator = {
  // Increment when the motion or the encoding changes: it is part of the artefact key.
  id: 'camera-3',
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

/** For a prompt without a camera move: one of four, deterministic by seed and prompt. */
function motionOf(seed: string, prompt: string): CameraMotion {
  const moves = [
    { from: fullFrame, to: closeFrame },
    { from: closeFrame, to: fullFrame },
    { from: leftFrame, to: rightFrame },
    { from: rightFrame, to: leftFrame },
  ]
  return moves[createHash('sha256').update(`${seed}/${prompt}`).digest()[0]! % moves.length]!
}

/** Yuv420p frames. All of them share one buffer: read a frame before requesting the next one. */
async function* framesOf(
  { size, bytes }: { size: Size; bytes: Uint8Array },
  frame: Size,
  frames: number,
  motion: CameraMotion,
): AsyncGenerator<Uint8Array, void> {
  const kernel = await createMotionKernel(frame, size, readKernel)
  const picture = kernel.pictureBuffer(0, size)
  picture.bytes.set(bytes)
  for (let index = 0; index < frames; index++) {
    // Eases to rest at both ends, since clips are joined by cuts.
    kernel.drawPicture(picture, framingAt(motion, frames > 1 ? index / (frames - 1) : 0, 'gentle'))
    yield kernel.frame
  }
}
