/** The soundtrack of a render, before it is encoded: the narration at normalised loudness, with music under it. */
import type { Music } from '../music/bed.ts'
import { mixWithDucking } from '../music/ducking.ts'
import { normaliseLoudness } from './loudness.ts'
import { type PcmSound, parseWav } from './wav.ts'

/** `seconds` is the duration of the video. Takes seconds itself for a long narration. */
export function mixSoundtrack(narration: Uint8Array, music: Music | undefined, seconds: number): PcmSound {
  const voice = voiceOf(narration, seconds)
  return music ? mixWithDucking(voice, music) : voice
}

/** A narration longer than the video is cut, a shorter one is followed by silence. */
function voiceOf(narration: Uint8Array, seconds: number): PcmSound {
  const { sampleRate, samples } = parseWav(narration)
  const padded = new Int16Array(Math.round(seconds * sampleRate))
  padded.set(normaliseLoudness(samples, sampleRate).subarray(0, padded.length))
  return { sampleRate, samples: padded }
}
