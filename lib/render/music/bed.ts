/**
 * Synthesises background music: plays a score in a seamless loop for the duration of a video; notes ring across the
 * loop point.
 */
import type { MusicMood } from '../../domain/records/theme.ts'
import { synthesiseNote } from './instruments.ts'
import { applyReverb } from './reverb.ts'
import { writeScore } from './score.ts'

/** The same mood and seed give the same piece. */
export interface Music {
  mood: MusicMood
  seed: string
}

const drums = new Set<string>(['kick', 'timpani', 'clap', 'snap', 'hat', 'shaker'])
const fadeInSeconds = 0.6
const fadeOutSeconds = 3.5
/** The largest share of a short video that a fade may take. */
const fadeShareMax = 0.3

/** Samples of the music, not normalised. */
export function playBed({ mood, seed }: Music, seconds: number, sampleRate: number): Float32Array {
  const { notes, reverb, seconds: loopSeconds } = writeScore(mood, seed)
  const length = Math.round(seconds * sampleRate)
  const [pitched, percussion] = [new Float32Array(length), new Float32Array(length)]
  const cache = new Map<string, Float32Array>()
  for (const { instrument, pitch, heldSeconds, atSeconds, level } of notes) {
    const name = `${instrument} ${pitch} ${heldSeconds}`
    const sound = cache.get(name) ?? synthesiseNote(instrument, { pitch, heldSeconds, sampleRate })
    cache.set(name, sound)
    const track = drums.has(instrument) ? percussion : pitched
    for (let loop = 0; loop * loopSeconds + atSeconds < seconds; loop++) {
      mixInto(track, sound, Math.round((loop * loopSeconds + atSeconds) * sampleRate), level)
    }
  }
  const reverberation = applyReverb(pitched, sampleRate)
  for (let i = 0; i < length; i++) pitched[i]! += reverb * reverberation[i]! + percussion[i]!
  fade(pitched, sampleRate)
  return pitched
}

function mixInto(track: Float32Array, sound: Float32Array, from: number, level: number): void {
  const end = Math.min(sound.length, track.length - from)
  for (let i = 0; i < end; i++) track[from + i]! += level * sound[i]!
}

/** Fades in quickly and out slowly. */
function fade(samples: Float32Array, sampleRate: number): void {
  const shareMax = fadeShareMax * samples.length
  const [rise, fall] = [fadeInSeconds, fadeOutSeconds].map((seconds) => Math.min(seconds * sampleRate, shareMax)) as [
    number,
    number,
  ]
  for (let i = 0; i < rise; i++) samples[i]! *= i / rise
  for (let i = 0; i < fall; i++) samples[samples.length - 1 - i]! *= (i / fall) ** 1.5
}
