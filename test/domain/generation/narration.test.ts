/** What is refused before anybody is paid for speaking it. */
import { describe, expect, it } from 'vitest'
import { refuseLongScript } from '../../../lib/domain/generation/narration.ts'
import { estimateSpeechSeconds } from '../../../lib/domain/generation/speech-duration.ts'
import { briefWith } from '../support/videos.ts'

const minute = briefWith({ videoDuration: 'subminute' })
const sentence = 'Lay out your clothes, fill the kettle, and sleep early. '

describe('a text that is longer than was paid for', () => {
  it('is refused by its words', () => {
    expect(() => refuseLongScript(minute, sentence.repeat(14))).not.toThrow()
    expect(() => refuseLongScript(minute, sentence.repeat(30))).toThrow(/takes about 11\d seconds/)
  })

  it('is refused also where it has no blanks', () => {
    for (const joint of [',', '-', '\u2060'])
      expect(() => refuseLongScript(minute, sentence.repeat(100).replaceAll(' ', joint))).toThrow(/seconds to speak/)
  })

  it('is refused where it holds nothing but marks, which vendors count as well', () => {
    expect(() => refuseLongScript(minute, '€'.repeat(12_000))).toThrow(/seconds to speak/)
  })

  it('is not taken for one where its words are long', () => {
    expect(() => refuseLongScript(minute, 'Donaudampfschifffahrtsgesellschaft '.repeat(60))).not.toThrow()
  })
})

describe('how long a text takes to speak', () => {
  it('is told by its words, and by the characters of scripts without blanks', () => {
    expect(estimateSpeechSeconds('Calm mornings – begin, in 1999.')).toBeCloseTo(5 / 2.6)
    expect(estimateSpeechSeconds('你好。Hello')).toBeCloseTo(2 / 4.2 + 1 / 2.6)
  })

  it('is found in one pass, whatever the text is', () => {
    expect(estimateSpeechSeconds('-'.repeat(2_000_000))).toBe(0)
  })
})
