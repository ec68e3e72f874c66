/** How a portrait moves with the voice: nearer and up where a word is stressed, swaying while it goes on, breathing in a pause. */

/** Where the portrait stands in a frame: lengths are parts of the frame's shorter side, `turn` is an angle in radians. */
export interface Pose {
  scale: number
  x: number
  y: number
  turn: number
}

/** No pose reaches farther out than this, in parts of the shorter side at a corner of the frame. */
export const poseReach = 0.035

const attackSeconds = 0.05
const releaseSeconds = 0.22
const calmingSeconds = 0.7
/** Of the loudness of all frames, the one that counts as a loud word. */
const loudShare = 0.92

export function posesOf(
  { samples, sampleRate }: { samples: Int16Array; sampleRate: number },
  frames: number,
  fps: number,
): Pose[] {
  const loudness = loudnessOf(samples, sampleRate / fps, frames)
  const stress = envelope(loudness, attackSeconds * fps, releaseSeconds * fps)
  const speech = envelope(stress, calmingSeconds * fps, calmingSeconds * fps)
  return stress.map((loud, frame) => {
    const wave = (seconds: number, phase: number) => Math.sin(2 * Math.PI * (frame / fps / seconds + phase))
    const lively = 0.25 + 0.75 * speech[frame]!
    return {
      scale: 1 + (0.03 * frame) / Math.max(frames, 10 * fps) + 0.022 * loud + 0.003 * (1 + wave(3.7, 0)),
      x: 0.009 * wave(4.3, 0.1) * lively,
      y: -0.01 * loud + 0.004 * wave(2.9, 0.6) * lively,
      turn: 0.009 * wave(5.3, 0.35) * lively,
    }
  })
}

/** How loud each frame is, 0 to 1, beside the loud words of this voice; all 0 where nothing is heard. */
function loudnessOf(samples: Int16Array, perFrame: number, frames: number): number[] {
  const levels = Array.from({ length: frames }, (_, frame) => {
    const part = samples.subarray(Math.round(frame * perFrame), Math.round((frame + 1) * perFrame))
    return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(part.length, 1))
  })
  const loud = levels.toSorted((a, b) => a - b)[Math.floor(loudShare * (frames - 1))] ?? 0
  // Below a thousandth of full scale there is only noise.
  return levels.map((level) => (loud < 33 ? 0 : Math.min(1, level / loud)))
}

/** Follows the values: up as fast as `attack` says, down as fast as `release`, in frames. Starts and ends without a jump. */
function envelope(values: readonly number[], attack: number, release: number): number[] {
  let at = 0
  return values.map((value) => {
    at += (value - at) * (1 - Math.exp(-1 / Math.max(value > at ? attack : release, 0.01)))
    return at
  })
}
