/** Each check of the quality gate, on good input and on input with exactly the defect that it detects. */
import { describe, expect, it } from 'vitest'
import { JobFailure } from '../../../../lib/domain/core/failures.ts'
import type { TimedWord } from '../../../../lib/domain/core/timeline-item.ts'
import { paginateCaptions, toCaptionWords } from '../../../../lib/domain/generation/captions/captions.ts'
import type { AudioAnalysis } from '../../../../lib/domain/generation/quality/audio-analysis.ts'
import {
  captionChecks,
  isEmptyPicture,
  narrationChecks,
  pictureCheck,
  renderChecks,
  requirePassed,
  segmentChecks,
} from '../../../../lib/domain/generation/quality/checks.ts'
import { type QualityCheck, qualityNames, qualityOf, worstChecks } from '../../../../lib/domain/records/quality.ts'

const windowMs = 10
const sentence = 'Calm mornings begin in the evening.'
const script = Array.from({ length: 12 }, () => sentence).join(' ')

/** Each word takes 250 ms, and each sentence is followed by a pause of 300 ms. */
function spoken(text: string): TimedWord[] {
  let at = 60
  return text.split(' ').map((word) => {
    const startMs = at
    at += 250 + (word.endsWith('.') ? 300 : 0)
    return { text: word, startMs, endMs: startMs + 250 }
  })
}

const words = spoken(script)
const durationMs = words.at(-1)!.endMs + 250

/** A voice that says these words at exactly these times. */
function heard(said: readonly TimedWord[], loudnessLufs = -20): AudioAnalysis {
  const sounds = Array.from({ length: durationMs / windowMs }, (_, index) =>
    said.some(({ startMs, endMs }) => index * windowMs < endMs && (index + 1) * windowMs > startMs),
  )
  return { durationMs, loudnessLufs, windowMs, sounds }
}
const voice = heard(words)

const later = (said: readonly TimedWord[], byMs: (word: TimedWord) => number): TimedWord[] =>
  said.map((word) => ({ ...word, startMs: word.startMs + byMs(word), endMs: word.endMs + byMs(word) }))

const failed = (checks: readonly QualityCheck[]) => checks.filter(({ passed }) => !passed).map(({ name }) => name)

describe('the narration checks', () => {
  it('pass a narration whose words match the script and its sound', () => {
    const checks = narrationChecks(script, words, voice)
    expect(failed(checks)).toEqual([])
    expect(checks.find(({ name }) => name === 'voiceOffsetMs')).toMatchObject({ measured: 0, limit: 80 })
    expect(checks.find(({ name }) => name === 'wordsMissing')).toMatchObject({ measured: 0, limit: 0 })
  })

  it.each([
    ['left out', words.toSpliced(7, 1), 1],
    ['made up', words.toSpliced(7, 0, { text: 'Well,', startMs: 1810, endMs: 1810 }), 1],
    ['exchanged', words.toSpliced(6, 2, { ...words[6]!, text: 'mornings' }, { ...words[7]!, text: 'Calm' }), 2],
    ['all gone', [], words.length],
  ])('detect words that are %s', (_, said, measured) => {
    const missing = narrationChecks(script, said, voice).find(({ name }) => name === 'wordsMissing')
    expect(missing).toMatchObject({ passed: false, measured })
  })

  it('detect words that overlap, that end before they begin, and that are out of order', () => {
    const overlapping = words.with(3, { ...words[3]!, startMs: words[3]!.startMs - 40 })
    const backward = words.with(3, { ...words[3]!, endMs: words[3]!.startMs - 1 })
    const [third, fourth] = [words[3]!, words[4]!]
    const swapped = words.with(3, { ...third, startMs: fourth.startMs, endMs: fourth.endMs }).with(4, {
      ...fourth,
      startMs: third.startMs,
      endMs: third.endMs,
    })
    for (const said of [overlapping, backward, swapped])
      expect(failed(narrationChecks(script, said, voice))).toEqual(['wordsOverlapping'])
  })

  it('detect words after the end of the sound', () => {
    const said = words.with(-1, { ...words.at(-1)!, endMs: durationMs + 1 })
    expect(failed(narrationChecks(script, said, voice))).toEqual(['wordsBeyondMs'])
  })

  it.each([
    ['late', () => 150],
    ['early', () => -50 - 60],
    ['slower than the voice', ({ startMs }: TimedWord) => startMs * 0.01],
  ])('detect words that are %s', (_, byMs) => {
    const found = failed(narrationChecks(script, later(words, byMs), voice))
    expect(found).toContain('voiceOffsetMs')
  })

  it('tolerate pauses for breath before some of the sentences', () => {
    const breath = (word: TimedWord) => ({ text: '', startMs: word.startMs - 140, endMs: word.startMs - 100 })
    const breaths = words.filter(({ text }) => text === 'Calm').filter((_, index) => index % 3 === 1)
    expect(failed(narrationChecks(script, words, heard([...words, ...breaths.map(breath)])))).toEqual([])
  })

  /** Timings without any reference to the sound: each word in proportion to its letters, without pauses. */
  const guessed = (said: readonly TimedWord[]): TimedWord[] => {
    const length = said.reduce((sum, { text }) => sum + text.length, 0)
    let at = 0
    return said.map(({ text }) => {
      const startMs = at
      at += (text.length / length) * durationMs
      return { text, startMs, endMs: at }
    })
  }
  const withoutRests = (said: readonly TimedWord[]) =>
    said.map((word, index) => ({ ...word, endMs: said[index + 1]?.startMs ?? durationMs }))

  it.each([
    ['guessed without a rest', guessed(words)],
    ['late and without a rest', withoutRests(later(words, ({ startMs }) => Math.min(900, durationMs - 10 - startMs)))],
  ])('detect words that are %s, by the pauses of the voice', (_, said) => {
    expect(failed(narrationChecks(script, said, voice))).toContain('voiceOffsetMs')
  })

  it('fail narrations without pauses, whose word timings cannot be verified', () => {
    const hum = { ...voice, sounds: voice.sounds.map(() => true) }
    expect(failed(narrationChecks(script, words, hum))).toEqual(['voiceOffsetMs'])
  })

  it('tolerate a text without sentences in one breath, and pauses inside a token that is written as one word', () => {
    const flat = words.map((word, index) => ({ ...word, text: word.text.replace('.', ''), startMs: index * 250 + 60 }))
    const breath = flat.map((word) => ({ ...word, endMs: word.startMs + 250 }))
    const breathText = breath.map(({ text }) => text).join(' ')
    expect(failed(narrationChecks(breathText, breath, heard(breath)))).not.toContain('voiceOffsetMs')
    const chinese = '你好。世界！今天天气很好，我们去公园吧？好的。再见。'
    const one = [{ text: chinese, startMs: 60, endMs: durationMs - 250 }]
    expect(failed(narrationChecks(chinese, one, voice))).toEqual([])
  })

  it('detect words without sound, and tolerate words that are never spoken', () => {
    const cut = heard(words.slice(0, -12))
    expect(failed(narrationChecks(script, words, cut))).toContain('wordsInSilencePercent')
    const silent = script.replaceAll('evening.', '😀.')
    const shown = words.map((word, index) => ({ ...word, text: silent.split(' ')[index]! }))
    const voiced = heard(shown.filter(({ text }) => text !== '😀.'))
    expect(failed(narrationChecks(silent, shown, voiced))).toEqual([])
  })

  it('detect a long silence', () => {
    const rest = later(words, ({ startMs }) => (startMs > 4_000 ? 5_100 : 0))
    const long = { ...heard(rest), sounds: [...heard(words).sounds, ...Array.from({ length: 501 }, () => false)] }
    expect(failed(narrationChecks(script, words, long))).toEqual(['silenceMs'])
  })

  it('detect a voice that is too quiet to be amplified, and a silent one', () => {
    expect(failed(narrationChecks(script, words, heard(words, -43)))).toEqual([])
    expect(failed(narrationChecks(script, words, heard(words, -45)))).toEqual(['loudnessGapLu'])
    const nothing = narrationChecks(script, words, heard([], Number.NEGATIVE_INFINITY))
    expect(failed(nothing)).toContain('loudnessGapLu')
    expect(nothing.every(({ measured }) => Number.isFinite(measured))).toBe(true)
  })
})

describe('the render check', () => {
  it.each([
    [-14.4, []],
    [-12.9, ['filmLoudnessGapLu']],
    [-16, ['filmLoudnessGapLu']],
    [Number.NEGATIVE_INFINITY, ['filmLoudnessGapLu']],
  ])('judges a render of %d LUFS', (loudnessLufs, wrong) => {
    expect(failed(renderChecks({ ...voice, loudnessLufs }))).toEqual(wrong)
  })
})

describe('the caption checks', () => {
  const captions = toCaptionWords(words, (index) => `cap_${index}`)
  const captionsPages = paginateCaptions(captions, (index) => `pag_${index}`)

  it('pass the pages that a generation makes', () => {
    expect(failed(captionChecks({ captions, captionsPages }, durationMs + 600))).toEqual([])
  })

  it('detect pages that overlap, words without a page, and pages beyond the video', () => {
    const overlapping = captionsPages.with(0, { ...captionsPages[0]!, endMs: captionsPages[1]!.startMs + 1 })
    const without = captionsPages.slice(1)
    expect(failed(captionChecks({ captions, captionsPages: overlapping }, durationMs))).toEqual(['pagesOverlapping'])
    expect(failed(captionChecks({ captions, captionsPages: without }, durationMs))).toEqual(['wordsUnpaged'])
    expect(failed(captionChecks({ captions, captionsPages }, durationMs - 2_000))).toEqual([
      'wordsBeyondMs',
      'pagesBeyondMs',
    ])
  })
})

describe('the picture checks', () => {
  const row = [
    { startMs: 0, endMs: 2_000 },
    { startMs: 2_000, endMs: 5_000 },
  ]
  it.each([
    ['pass a row without a gap', row, []],
    ['find a gap', [row[0]!, { startMs: 2_100, endMs: 5_000 }], ['uncoveredMs']],
    ['find two at once', [{ startMs: 0, endMs: 2_100 }, row[1]!], ['uncoveredMs']],
    ['find a late beginning', [{ startMs: 1, endMs: 2_000 }, row[1]!], ['uncoveredMs']],
    ['find an early end', [row[0]!, { startMs: 2_000, endMs: 4_999 }], ['uncoveredMs']],
    ['find nothing at all', [], ['uncoveredMs']],
  ])('%s', (_, segments, wrong) => {
    expect(failed(segmentChecks(segments, 5_000))).toEqual(wrong)
  })

  it('distinguish a night picture from a black one, and a sky from a plain colour', () => {
    const points = (...values: number[]) =>
      Uint8Array.from({ length: 1_024 }, (_, index) => values[index % values.length]!)
    expect(isEmptyPicture(points(4, 9, 3, 80))).toBe(false)
    expect(isEmptyPicture(points(0, 16, 3))).toBe(true)
    expect(isEmptyPicture(points(180, 200))).toBe(false)
    expect(isEmptyPicture(points(128, 130))).toBe(true)
    // A picture has a sample of 24 and more, which is at least 8 brighter than another.
    expect(
      [points(15, 23), points(16, 24), points(17, 24), points(255, 247), points(255, 248)].map(isEmptyPicture),
    ).toEqual([true, false, true, false, true])
  })
})

describe('the quality gate', () => {
  it('passes good results, and reports the rest in words and with the code of its step', () => {
    const good = narrationChecks(script, words, voice)
    expect(requirePassed(good, 'voice-failed')).toBe(good)
    const bad = narrationChecks(script, words.with(3, { ...words[3]!, startMs: words[3]!.startMs - 40 }), voice)
    const failure = catching(() => requirePassed(bad, 'voice-failed'))
    expect(failure).toBeInstanceOf(JobFailure)
    expect(failure).toMatchObject({
      code: 'voice-failed',
      message: expect.stringContaining('words that overlap: 1 (at most 0)'),
    })
    expect(qualityOf(bad).passed).toBe(false)
  })

  it('reports only the worst of several findings of a kind', () => {
    const worst = worstChecks([
      ...narrationChecks(script, words, voice),
      ...narrationChecks(script, words, heard(words, -30)),
    ])
    expect(worst.find(({ name }) => name === 'loudnessGapLu')?.measured).toBe(16)
    expect(new Set(worst.map(({ name }) => name)).size).toBe(worst.length)
  })

  it('has a message for every check', () => {
    for (const name of qualityNames) {
      const broken = { name, passed: false, measured: 7_777, limit: 0 }
      expect(() => requirePassed([broken], 'visuals-failed')).toThrow(/7777/)
    }
    expect(pictureCheck(2)).toMatchObject({ passed: false, measured: 2, limit: 0 })
  })
})

function catching(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}
