import { describe, expect, it } from 'vitest'
import { levelSpeech, measureLoudness } from '../../lib/render/loudness.ts'
import { speech } from './support.ts'

const sine = (hertz: number, level: number, seconds: number, rate: number) =>
  Float32Array.from({ length: seconds * rate }, (_, i) => level * Math.sin((2 * Math.PI * hertz * i) / rate))
const loudnessOf = (samples: Int16Array, rate: number) =>
  measureLoudness(
    Float32Array.from(samples, (s) => s / 32768),
    rate,
  )

describe('the loudness meter', () => {
  it.each([16_000, 22_050, 48_000])(
    'reads -3.01 LUFS for a full 997 Hz tone at %i Hz, as BS.1770 defines it',
    (rate) => {
      expect(measureLoudness(sine(997, 1, 3, rate), rate)).toBeCloseTo(-3.01, 1)
    },
  )
  it('leaves out pauses, as the gate of BS.1770 does', () => {
    const rate = 16_000
    const tone = sine(997, 0.1, 4, rate)
    const withPause = new Float32Array(8 * rate)
    withPause.set(tone)
    expect(measureLoudness(withPause, rate)).toBeCloseTo(measureLoudness(tone, rate), 0)
  })
  it('is minus infinity for silence', () => {
    expect(measureLoudness(new Float32Array(48_000), 48_000)).toBe(-Infinity)
  })
})

describe('levelled speech', () => {
  it.each([
    [16_000, 0.1],
    [22_050, 0.1],
    [22_050, 0.33],
  ])('at %i Hz and level %f is at -14 LUFS within 0.5 and its peaks are below -2 dBFS', (rate, level) => {
    const levelled = levelSpeech(speech(6, rate, level), rate)
    expect(Math.abs(loudnessOf(levelled, rate) + 14)).toBeLessThan(0.5)
    const peak = levelled.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0)
    expect(peak).toBeLessThanOrEqual(Math.ceil(32_768 * 10 ** (-2 / 20)))
  })
  it('keeps silence silent', () => {
    expect(levelSpeech(new Int16Array(16_000), 16_000)).toEqual(new Int16Array(16_000))
  })
})
