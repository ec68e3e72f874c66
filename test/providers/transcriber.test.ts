import { describe, expect, it } from 'vitest'
import { cuesOf, wordsOfCues } from '../../lib/providers/transcriber/cues.ts'
import { passagesOf } from '../../lib/providers/transcriber/passages.ts'

describe('the subtitles of a file', () => {
  it('are read cue by cue in the order of time, without markup', () => {
    const file = [
      'WEBVTT\n',
      'NOTE nobody says this\n',
      'second\n01:00:02.000 --> 01:00:03.500 align:start\n{\\an8}Fish &amp; chips,\nplease\n',
      '00:01.000 --> 00:02.000\r\n<v Ann><i>Good  morning</i>\r\n',
      '00:05.000 --> 00:05.000\nno time\n',
      '00:06.000 --> 00:07.000\n \n',
    ].join('\n')
    expect(cuesOf(file)).toEqual([
      { startMs: 1_000, endMs: 2_000, text: 'Good morning' },
      { startMs: 3_602_000, endMs: 3_603_500, text: 'Fish & chips, please' },
    ])
    expect(cuesOf('')).toEqual([])
  })

  it('give every word its share of the time of its cue', () => {
    expect(wordsOfCues([{ startMs: 1_000, endMs: 2_000, text: '– ab cdef, gh ♪' }])).toEqual([
      { text: 'ab', startMs: 1_000, endMs: 1_222 },
      { text: 'cdef,', startMs: 1_222, endMs: 1_778 },
      { text: 'gh', startMs: 1_778, endMs: 2_000 },
    ])
  })

  it('never have two words at once', () => {
    const cues = [
      { startMs: 0, endMs: 1_000, text: 'one' },
      { startMs: 500, endMs: 900, text: 'inside' },
      { startMs: 800, endMs: 1_500, text: 'two' },
    ]
    expect(wordsOfCues(cues)).toEqual([
      { text: 'one', startMs: 0, endMs: 1_000 },
      { text: 'two', startMs: 1_000, endMs: 1_500 },
    ])
  })
})

describe('the passages of a sound', () => {
  const sampleRate = 8_000
  /** Levels in dBFS, each for so many milliseconds. */
  const sound = (...parts: [milliseconds: number, level: number][]) =>
    Int16Array.from(
      parts.flatMap(([milliseconds, level]) =>
        Array.from({ length: (milliseconds * sampleRate) / 1000 }, (_, at) =>
          Math.round(32_767 * 10 ** (level / 20) * Math.sin(at)),
        ),
      ),
    )

  it('begin and end where something is heard; a breath does not part them, a rest does', () => {
    const spoken = sound([500, -80], [1_000, -20], [200, -80], [300, -20], [600, -80], [400, -20], [500, -80])
    expect(passagesOf(spoken, sampleRate)).toEqual([
      { startMs: 500, endMs: 2_000 },
      { startMs: 2_600, endMs: 3_000 },
    ])
  })

  it('stand out of a noise that never ends', () => {
    expect(passagesOf(sound([2_000, -40], [1_000, -12], [2_000, -40]), sampleRate)).toEqual([
      { startMs: 2_000, endMs: 3_000 },
    ])
  })

  it('are one where it is never quiet, and none in silence or a click', () => {
    expect(passagesOf(sound([3_000, -20]), sampleRate)).toEqual([{ startMs: 0, endMs: 3_000 }])
    expect(passagesOf(sound([3_000, -90]), sampleRate)).toEqual([])
    expect(passagesOf(sound([1_000, -90], [100, -10], [1_000, -90]), sampleRate)).toEqual([])
    expect(passagesOf(new Int16Array(0), sampleRate)).toEqual([])
  })
})
