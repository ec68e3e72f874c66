/**
 * Motion of a portrait with the voice: closer and up on a stressed word, swaying during speech, breathing in a pause.
 */

/** Lengths are fractions of the frame's shorter side; `turn` is an angle in radians. */
export interface Pose {
  scale: number
  x: number
  y: number
  turn: number
}

/** The largest displacement of any pose at a corner of the frame, as a fraction of the shorter side. */
export const poseReach = 0.035

const attackSeconds = 0.05
const releaseSeconds = 0.22
const calmingSeconds = 0.7
/** Quantile of the loudness of all frames that counts as a loud word. */
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

/** Loudness of each frame, 0 to 1, relative to the loud words of this voice; all 0 in silence. */
export function loudnessOf(samples: Int16Array, perFrame: number, frames: number): number[] {
  const levels = Array.from({ length: frames }, (_, frame) => {
    const part = samples.subarray(Math.round(frame * perFrame), Math.round((frame + 1) * perFrame))
    return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(part.length, 1))
  })
  const loud = levels.toSorted((a, b) => a - b)[Math.floor(loudShare * (frames - 1))] ?? 0
  // Below a thousandth of full scale is noise.
  return levels.map((level) => (loud < 33 ? 0 : Math.min(1, level / loud)))
}

/** Envelope follower; `attack` and `release` are time constants in frames. */
function envelope(values: readonly number[], attack: number, release: number): number[] {
  let at = 0
  return values.map((value) => {
    at += (value - at) * (1 - Math.exp(-1 / Math.max(value > at ? attack : release, 0.01)))
    return at
  })
}
