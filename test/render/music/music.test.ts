/** Music under a voice: deterministic for a seed, within its loudness limit, and without a seam. */
import { describe, expect, it } from 'vitest'
import { resolveMusicMood } from '../../../lib/domain/generation/music.ts'
import { trackMoods } from '../../../lib/domain/records/theme.ts'
import { playBed } from '../../../lib/render/music/bed.ts'
import { duckedBed, mixWithDucking } from '../../../lib/render/music/ducking.ts'
import { parseChords } from '../../../lib/render/music/harmony.ts'
import { writeScore } from '../../../lib/render/music/score.ts'
import { measureLoudness, normaliseLoudness } from '../../../lib/render/sound/loudness.ts'
import { resample } from '../../../lib/render/sound/resample.ts'
import { speechSamples } from '../compositions.ts'

const rate = 32_000
const floats = (samples: Int16Array) => Float32Array.from(samples, (sample) => sample / 32_768)
const seconds = (samples: Float32Array, from: number, to: number) => samples.subarray(from * rate, to * rate)

describe('the mood of the music', () => {
  it('is none if the config requests none, or is empty', () => {
    expect([resolveMusicMood(undefined, 'energetic'), resolveMusicMood('none', 'energetic')]).toEqual([
      undefined,
      undefined,
    ])
  })
  it('is that of the config, and for auto that of the video, which may be any word', () => {
    expect(resolveMusicMood('dramatic', 'energetic')).toBe('dramatic')
    expect(['energetic', 'Inspiring', 'fun', 'unheard-of', null].map((mood) => resolveMusicMood('auto', mood))).toEqual(
      ['energetic', 'inspiring', 'playful', 'calm', 'calm'],
    )
  })
})

describe('a score', () => {
  it.each(trackMoods)('%s: is sixteen bars that instruments can play, and differs for another seed', (mood) => {
    const { notes, seconds: length } = writeScore(mood, 'one')
    expect(writeScore(mood, 'one').notes).toEqual(notes)
    expect(writeScore(mood, 'two').notes).not.toEqual(notes)
    expect(length).toBeGreaterThan(30)
    expect(notes.every(({ atSeconds }) => atSeconds >= 0 && atSeconds < length)).toBe(true)
    const tuned = notes.filter(({ pitch }) => pitch > 0)
    expect(tuned.every(({ pitch }) => Number.isInteger(pitch) && pitch >= 28 && pitch <= 92)).toBe(true)
  })
  it('parses chord names', () => {
    expect(parseChords('I vi7 bVIImaj9 Vsus4')).toEqual([
      { root: 0, tones: [0, 4, 7] },
      { root: 9, tones: [0, 3, 7, 10] },
      { root: 10, tones: [0, 4, 7, 11, 14] },
      { root: 7, tones: [0, 5, 7] },
    ])
    expect(() => parseChords('H7')).toThrow(RangeError)
  })
})

describe('a bed of music', () => {
  it('is as long as the video, deterministic, and fades in and out', () => {
    const bed = playBed({ mood: 'playful', seed: 'one' }, 4.5, rate)
    expect(bed).toHaveLength(4.5 * rate)
    expect(playBed({ mood: 'playful', seed: 'one' }, 4.5, rate)).toEqual(bed)
    expect([bed[0], bed.at(-1)]).toEqual([0, 0])
    expect(measureLoudness(seconds(bed, 4, 4.5), rate)).toBeLessThan(measureLoudness(seconds(bed, 1, 2), rate) - 6)
  })
  it.each(trackMoods)('%s: loops without a stop or click', (mood) => {
    const low = 8_000
    const round = writeScore(mood, 'one').seconds
    const bed = playBed({ mood, seed: 'one' }, round + 6, low)
    const at = Math.round(round * low)
    const step = (from: number, to: number) =>
      bed.subarray(from, to).reduce((most, sample, i) => Math.max(most, Math.abs(sample - bed[from + i - 1]!)), 0)
    expect(step(at - 40, at + 40)).toBeLessThanOrEqual(step(at - 2 * low, at + 2 * low))
    const around = [at - 1.5 * low, at].map((from) => measureLoudness(bed.subarray(from, from + 1.5 * low), low))
    expect(Math.abs(around[0]! - around[1]!)).toBeLessThan(6)
  })
})

describe('music under a voice', () => {
  const voice = speechSamples(14, 16_000)
  voice.fill(0, 5 * 16_000, 10 * 16_000)
  const level = normaliseLoudness(voice, 16_000)

  it.each(trackMoods)('%s: is 14 LU below it during speech, and about 8 in pauses', (mood) => {
    const heard = resample(floats(level), 16_000, rate)
    const bed = duckedBed(heard, rate, { mood, seed: 'one' })
    const voiceLoudness = measureLoudness(heard, rate)
    const below = ([from, to]: [number, number]) => voiceLoudness - measureLoudness(seconds(bed, from, to), rate)
    expect(below([1, 5])).toBeGreaterThan(14)
    expect(below([10, 13])).toBeGreaterThan(14)
    expect(below([6.2, 9.2])).toBeGreaterThan(8)
    expect(below([6.2, 9.2])).toBeLessThan(13)
  })

  it('leaves the video at the loudness that platforms expect, without peaks above -2 dBFS, and never clips', () => {
    const { sampleRate, samples } = mixWithDucking(
      { sampleRate: 16_000, samples: level },
      { mood: 'energetic', seed: 'one' },
    )
    expect([sampleRate, samples.length]).toEqual([rate, 14 * rate])
    expect(Math.abs(measureLoudness(floats(samples), rate) + 14)).toBeLessThan(0.2)
    expect(samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeLessThan(
      32_768 * 10 ** (-1.9 / 20),
    )
  })

  it('plays without any speech', () => {
    const { samples } = mixWithDucking(
      { sampleRate: 16_000, samples: new Int16Array(5 * 16_000) },
      { mood: 'calm', seed: 'one' },
    )
    expect(Math.abs(measureLoudness(floats(samples), rate) + 14)).toBeLessThan(0.5)
  })
})

describe('a higher sample rate', () => {
  it.each([
    [16_000, 32_000],
    [22_050, 32_000],
  ])('preserves a tone from %i to %i Hz', (from, to) => {
    const tone = (sampleRate: number) =>
      Float32Array.from({ length: sampleRate / 10 }, (_, i) => Math.sin((2 * Math.PI * 1_000 * i) / sampleRate))
    const made = resample(tone(from), from, to)
    const wanted = tone(to)
    expect(made).toHaveLength(wanted.length)
    const wrong = made.map((sample, i) => Math.abs(sample - wanted[i]!)).subarray(100, -100)
    expect(Math.max(...wrong)).toBeLessThan(0.01)
  })
})
