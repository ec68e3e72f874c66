/** Texts that are refused before a vendor is paid for speaking them. */
import { describe, expect, it } from 'vitest'
import { estimateSpeechSeconds } from '../../../lib/domain/core/speech-duration.ts'
import {
  narrationFactsKey,
  narrationSoundKey,
  otherSoundKey,
  refuseLongNarration,
  refuseLongScript,
} from '../../../lib/domain/generation/narration.ts'
import { refusalCodeOf } from '../../support/refusals.ts'
import { briefWith, workspaceOn } from '../support/videos.ts'

const minute = briefWith({ videoDuration: 'subminute' })
const sentence = 'Lay out your clothes, fill the kettle, and sleep early. '

describe('a text that is longer than what was paid for', () => {
  it('is refused by its word count', () => {
    expect(() => refuseLongScript(minute, sentence.repeat(14))).not.toThrow()
    expect(() => refuseLongScript(minute, sentence.repeat(30))).toThrow(/takes about 11\d seconds/)
  })

  it('is refused even without spaces', () => {
    for (const joint of [',', '-', '\u2060'])
      expect(() => refuseLongScript(minute, sentence.repeat(100).replaceAll(' ', joint))).toThrow(/seconds to speak/)
  })

  it('is refused when it consists only of punctuation, which vendors charge for as well', () => {
    expect(() => refuseLongScript(minute, '€'.repeat(12_000))).toThrow(/seconds to speak/)
  })

  it('is refused from 1.5 times the paid duration on, at 25 characters a second', () => {
    expect(() => refuseLongScript(minute, 'x'.repeat(90 * 25))).not.toThrow()
    expect(() => refuseLongScript(minute, ` ${'x'.repeat(90 * 25)}\ny`)).toThrow('takes about 91 seconds')
  })

  it('is accepted when only its words are long', () => {
    expect(() => refuseLongScript(minute, 'Donaudampfschifffahrtsgesellschaft '.repeat(60))).not.toThrow()
  })
})

describe('a narration', () => {
  it('is refused first by the limit of the plan', () => {
    const short = briefWith({ videoDuration: 'short' })
    expect(refusalCodeOf(() => refuseLongNarration(workspaceOn('free'), short, 61))).toBe('warning-plan-duration')
  })

  it('has its facts beside its sounds, of which each take has its own', () => {
    const first = narrationSoundKey('a.wav/b.json')
    const others = [[1], [2]].map((bytes) => otherSoundKey('a.wav/b.json', Uint8Array.from(bytes)))
    expect(first).toBe('a.wav/b.wav')
    expect(new Set([first, ...others]).size).toBe(3)
    expect(new Set([first, ...others].map(narrationFactsKey))).toEqual(new Set(['a.wav/b.json']))
  })

  it('may be as long as what was paid for, and no longer', () => {
    expect(() => refuseLongNarration(workspaceOn('starter'), minute, 60)).not.toThrow()
    expect(() => refuseLongNarration(workspaceOn('starter'), minute, 60.2)).toThrow(
      'The text takes 61 seconds to speak, the brief asks for 60.',
    )
  })
})

describe('the estimated speaking time of a text', () => {
  it('depends on its words, and on the characters of scripts without spaces', () => {
    expect(estimateSpeechSeconds('Calm mornings – begin, in 1999.')).toBeCloseTo(5 / 2.6)
    expect(estimateSpeechSeconds('你好。Hello')).toBeCloseTo(2 / 4.2 + 1 / 2.6)
  })

  it('is computed in one pass, for any text', () => {
    expect(estimateSpeechSeconds('-'.repeat(2_000_000))).toBe(0)
  })
})
