/** How far words are from a voice, in audio whose sounds are known to the millisecond. */
import { describe, expect, it } from 'vitest'
import type { TimedWord } from '../../../../lib/domain/core/timeline-item.ts'
import type { AudioAnalysis } from '../../../../lib/domain/generation/quality/audio-analysis.ts'
import {
  longestSilenceMs,
  voiceOffsetMs,
  wordsInSilencePercent,
} from '../../../../lib/domain/generation/quality/timing.ts'

type Spans = readonly (readonly [startMs: number, endMs: number])[]
const audioOf = (sounds: Spans, durationMs: number): AudioAnalysis => ({
  ...{ durationMs, loudnessLufs: -20, windowMs: 1 },
  sounds: Array.from({ length: durationMs }, (_, at) => sounds.some(([start, end]) => start <= at && at < end)),
})
const wordsOf = (spans: Spans, text = 'word'): TimedWord[] =>
  spans.map(([startMs, endMs]) => ({ text, startMs, endMs }))

/** Words with a gap before each, whose sounds begin earlier than they do. */
function early(byMs: readonly number[], { gapMs = 700, lastsMs = 300, text = 'word' } = {}) {
  const spans = byMs.map((_, index): [number, number] => {
    const startMs = gapMs + index * (gapMs + lastsMs)
    return [startMs, startMs + lastsMs]
  })
  const sounds = spans.map(([start, end], index): [number, number] => [start - byMs[index]!, end])
  return voiceOffsetMs(wordsOf(spans, text), audioOf(sounds, spans.at(-1)![1] + 100))
}
const repeat = (count: number, value: number) => Array.from({ length: count }, () => value)
const tens = (count: number) => Array.from({ length: count }, (_, index) => 10 * (index + 1))

describe('words are as far from the voice', () => {
  it.each<[string, number, number[]]>([
    ['as nothing: two cannot be judged', 0, tens(2)],
    ['as the lower quartile of a few', 10, tens(3)],
    ['as the lower quartile of eight', 20, tens(8)],
    ['as the median of nine', 50, tens(9)],
    ['as the median of seventeen', 10, [...repeat(9, 10), ...repeat(8, 100)]],
    ['as the worse half of eighteen', 100, [...repeat(9, 10), ...repeat(9, 100)]],
    ['as the worse half of eighteen, also if it is the first', 100, [...repeat(9, 100), ...repeat(9, 10)]],
  ])('%s: %i ms', (_name, expected, byMs) => {
    expect(early(byMs)).toBe(expected)
  })

  it('as the sound nearest to the middle of the gap before them', () => {
    expect(early(repeat(3, 350))).toBe(350)
    expect(early(repeat(3, 360))).toBe(350)
  })

  it.each([
    [60, 300, 'word', 20],
    [59, 300, 'word', 0],
    [60, 121, 'word', 20],
    [60, 120, 'word', 0],
    [60, 300, '—', 0],
  ])('where a gap of %i ms is before a word of %i ms, “%s”: %i ms', (gapMs, lastsMs, text, expected) => {
    expect(early(repeat(4, 20), { gapMs, lastsMs, text })).toBe(expected)
  })

  it('as the end of the audio, where no sound follows', () => {
    const words = wordsOf([
      [500, 900],
      [1_500, 1_900],
      [2_500, 2_900],
    ])
    expect(voiceOffsetMs(words, audioOf([], 4_000))).toBe(1_500)
    expect(voiceOffsetMs(words, audioOf([[0, 100]], 4_000))).toBe(1_500)
  })
})

describe('a pause of the voice', () => {
  /** Words without gaps, and a voice that pauses three times in them. */
  const paused = (pauseMs: number, text = 'word', spans: Spans = [[0, 5_000]]) => {
    const sounds: Spans = [
      [0, 1_000],
      [1_000 + pauseMs, 2_000],
      [2_000 + pauseMs, 3_000],
      [3_000 + pauseMs, 5_000],
    ]
    return voiceOffsetMs(wordsOf(spans, text), audioOf(sounds, 5_000))
  }

  it('in a word counts from 150 ms on, with its whole length', () => {
    expect([149, 150, 300].map((pauseMs) => paused(pauseMs))).toEqual([0, 150, 300])
  })

  it('counts for as long as words overlap it', () => {
    const late: Spans = [
      [0, 1_000],
      [1_050, 2_000],
      [2_050, 3_000],
      [3_050, 5_000],
    ]
    expect(paused(300, 'word', late)).toBe(250)
    expect(
      paused(300, 'word', [
        [0, 1_100],
        [1_100, 2_050],
        [2_050, 5_000],
      ]),
    ).toBe(300)
  })

  it.each(['2-3', '1,000', '你好', 'こんにちは', 'สวัสดี'])(
    'in “%s”, which is spoken as several words, does not',
    (text) => {
      expect(paused(300, text)).toBe(0)
    },
  )

  it.each(['word,', 'naïve'])('in “%s” does', (text) => {
    expect(paused(300, text)).toBe(300)
  })

  it('in a word without sound, or of 120 ms, does not', () => {
    expect(paused(300, '—')).toBe(0)
    const short: Spans = Array.from({ length: 50 }, (_, index) => [index * 100, index * 100 + 100])
    expect(paused(300, 'word', short)).toBe(0)
  })
})

describe('long audio without pauses', () => {
  const words = (texts: readonly string[]): TimedWord[] =>
    texts.map((text, index) => ({ text, startMs: index * 2_000, endMs: (index + 1) * 2_000 }))
  const offset = (texts: readonly string[], durationMs = 10_000, pauses = 0) => {
    const ends = Array.from({ length: pauses }, (_, index) => 2_000 * (index + 1))
    const sounds = [0, ...ends].map((at, index): [number, number] => [at, (ends[index] ?? durationMs + 150) - 150])
    return voiceOffsetMs(words(texts), audioOf(sounds, durationMs))
  }
  const three = ['Calm.', 'Then?', 'Rest!”', 'and', 'go']

  it('cannot be measured: it is off by its whole duration, from 10 s and three sentences on', () => {
    expect(offset(three)).toBe(10_000)
    expect(offset(three, 9_999)).toBe(0)
    expect(offset(['Calm.', 'Then?', 'so', 'and', 'Rest!'])).toBe(0)
  })

  it('has sentences that end after a longer word, or with another mark', () => {
    expect(offset(['Mr.', 'Then?', 'Rest!', 'and', 'go'])).toBe(0)
    expect(offset(['word…', 'क्या।', 'Rest.)', 'and', 'go'])).toBe(10_000)
  })

  it('can be measured with three pauses', () => {
    expect(offset(three, 10_000, 2)).toBe(10_000)
    expect(offset(three, 10_000, 3)).toBe(150)
  })
})

describe('words without sound', () => {
  const percent = (sounds: Spans, spans: Spans = [[100, 300]], text = 'word') =>
    wordsInSilencePercent(wordsOf(spans, text), audioOf(sounds, 1_000))

  it.each<[Spans, number]>([
    [[[19, 20]], 100],
    [[[20, 21]], 0],
    [[[379, 380]], 0],
    [[[380, 381]], 100],
    [[], 100],
  ])('have none within 80 ms: with sounds at %j, %i %%', (sounds, expected) => {
    expect(percent(sounds)).toBe(expected)
  })

  it('at the very beginning are measured from there', () => {
    expect(percent([[0, 10]], [[50, 250]])).toBe(0)
    expect(percent([[0, 1]], [[50, 250]])).toBe(0)
    expect(percent([[990, 1_000]], [[50, 250]])).toBe(100)
  })

  it('are a share of the words that are spoken', () => {
    const spans: Spans = [
      [0, 200],
      [200, 400],
      [400, 600],
      [800, 1_000],
    ]
    expect(percent([[0, 600]], spans)).toBe(25)
    expect(percent([], [[0, 120]])).toBe(0)
    expect(percent([], [[0, 121]])).toBe(100)
    expect(percent([], [[0, 500]], '—')).toBe(0)
    expect(percent([], [])).toBe(0)
  })
})

it('the longest silence is measured anywhere', () => {
  const longest = (sounds: Spans) => longestSilenceMs({ ...audioOf(sounds, 10), windowMs: 20 })
  expect(
    [
      [],
      [[0, 10]],
      [[3, 10]],
      [[0, 6]],
      [
        [0, 1],
        [6, 7],
      ],
    ].map((sounds) => longest(sounds as unknown as Spans)),
  ).toEqual([200, 0, 60, 80, 100])
})
