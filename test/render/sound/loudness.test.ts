import { afterEach, describe, expect, it, vi } from 'vitest'
import { measureLoudness, normaliseLoudness } from '../../../lib/render/sound/loudness.ts'
import { speechSamples } from '../compositions.ts'

const sine = (hertz: number, level: number, seconds: number, rate: number) =>
  Float32Array.from({ length: seconds * rate }, (_, i) => level * Math.sin((2 * Math.PI * hertz * i) / rate))
const loudnessOf = (samples: Int16Array, rate: number) =>
  measureLoudness(
    Float32Array.from(samples, (s) => s / 32768),
    rate,
  )

afterEach(() => vi.unstubAllGlobals())

/** Counts the bytes of all number arrays that are allocated from now on. */
function countBytes(): () => number {
  let bytes = 0
  const types = { Float32Array, Float64Array, Int16Array, Uint16Array, Int32Array }
  for (const [name, type] of Object.entries(types)) {
    const construct = (target: typeof type, given: unknown[], self: typeof type) => {
      const made = Reflect.construct(target, given, self)
      if (typeof given[0] === 'number') bytes += made.byteLength
      return made
    }
    vi.stubGlobal(name, new Proxy(type, { construct }))
  }
  return () => bytes
}

describe('the loudness meter', () => {
  it.each([16_000, 22_050, 48_000])(
    'reads -3.01 LUFS for a full 997 Hz tone at %i Hz, as BS.1770 defines it',
    (rate) => {
      expect(measureLoudness(sine(997, 1, 3, rate), rate)).toBeCloseTo(-3.01, 1)
    },
  )
  it('ignores pauses, as the gate of BS.1770 does', () => {
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
    const levelled = normaliseLoudness(speechSamples(6, rate, level), rate)
    expect(Math.abs(loudnessOf(levelled, rate) + 14)).toBeLessThan(0.5)
    const peak = levelled.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0)
    expect(peak).toBeLessThanOrEqual(Math.ceil(32_768 * 10 ** (-2 / 20)))
  })
  it.each([
    [2_205, 0.05],
    [6_000, 0.05],
    [11_025, 0.05],
  ])('with a click every %i samples is raised by the maximum gain, and not left unchanged', (every, level) => {
    const clicked = speechSamples(8, 22_050, level)
    for (let i = 0; i < clicked.length; i += every) clicked[i] = 32_000
    expect(loudnessOf(normaliseLoudness(clicked, 22_050), 22_050)).toBeGreaterThan(-18)
  })

  it('takes four bytes of memory for each sample: a source may be half an hour', () => {
    const samples = speechSamples(20, 22_050, 0.3)
    const bytes = countBytes()
    normaliseLoudness(samples, 22_050)
    expect(bytes()).toBeLessThan(4.5 * samples.length)
  })

  it('keeps silence silent', () => {
    expect(normaliseLoudness(new Int16Array(16_000), 16_000)).toEqual(new Int16Array(16_000))
  })
})
