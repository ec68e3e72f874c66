/** What can be heard in a sound, measured in its samples: how loud it is on the whole, and where anything sounds at all. */
import type { AudioAnalysis } from '../../domain/generation/quality/audio-analysis.ts'
import { measureLoudness } from './loudness.ts'
import type { PcmSound } from './wav.ts'

const windowMs = 10
/** What lies so far below the loudest moment (-40 dB) is no speech: the vowel of a whispered word is louder. */
const belowLoudest = 0.01
/** Quieter than this (-60 dBFS) is silence whatever else there is. */
const audibleMin = 33

export function analyseSound({ samples, sampleRate }: PcmSound): AudioAnalysis {
  const levels = levelsOf(samples, sampleRate)
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0)
  const threshold = Math.max(audibleMin, loudest * belowLoudest)
  return {
    durationMs: Math.floor((samples.length * 1000) / sampleRate),
    loudnessLufs: measureLoudness(samples, sampleRate),
    windowMs,
    sounds: Array.from(levels, (level) => level > threshold),
  }
}

/** The effective level of each window. */
function levelsOf(samples: Int16Array, sampleRate: number): Float64Array {
  const length = (sampleRate * windowMs) / 1000
  const levels = new Float64Array(Math.floor(samples.length / length))
  for (let index = 0; index < levels.length; index++) {
    const [from, to] = [Math.round(index * length), Math.round((index + 1) * length)]
    let sum = 0
    for (let at = from; at < to; at++) sum += samples[at]! ** 2
    levels[index] = Math.sqrt(sum / (to - from))
  }
  return levels
}
