/** Measures a sound: its integrated loudness, and in which windows something is audible. */
import type { AudioAnalysis } from '../../domain/generation/quality/audio-analysis.ts'
import { measureLoudness } from './loudness.ts'
import { rmsLevels } from './rms-levels.ts'
import type { PcmSound } from './wav.ts'

const windowMs = 10
/** -40 dB below the loudest window is not speech: the vowel of a whispered word is louder. */
const belowLoudest = 0.01
/** -60 dBFS: anything quieter is silence. */
const audibleMin = 33

export function analyseSound({ samples, sampleRate }: PcmSound): AudioAnalysis {
  const levels = rmsLevels(samples, (sampleRate * windowMs) / 1000)
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0)
  const threshold = Math.max(audibleMin, loudest * belowLoudest)
  return {
    durationMs: Math.floor((samples.length * 1000) / sampleRate),
    loudnessLufs: measureLoudness(samples, sampleRate),
    windowMs,
    sounds: Array.from(levels, (level) => level > threshold),
  }
}
