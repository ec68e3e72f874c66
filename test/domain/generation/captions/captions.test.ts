/** The exact rules of caption pages: what a page costs, what is read as one, and how edits and files are made of them. */
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { storedTimelineBytesMax } from '../../../../lib/domain/core/timeline-item.ts'
import {
  type CaptionPage,
  type CaptionWord,
  captionWord,
  mergeCaptions,
  paginateCaptions,
  refuseOverlappingSpans,
  toCaptionWords,
  webVtt,
  wordsBetween,
} from '../../../../lib/domain/generation/captions/captions.ts'
import { refusalCodeOf } from '../../../support/refusals.ts'

/** Words that follow on one another, or after a pause: `[text, duration, pause before]`. */
type Spoken = [text: string, lastsMs?: number, pauseMs?: number][]
function heard(spoken: Spoken): CaptionWord[] {
  let at = 0
  const words = spoken.map(([text, lastsMs = 700, pauseMs = 0]) => {
    const startMs = at + pauseMs
    at = startMs + lastsMs
    return { text, startMs, endMs: at }
  })
  return toCaptionWords(words, (index) => `cap_${index}`)
}
const pagesOf = (spoken: Spoken) => {
  const words = heard(spoken)
  return paginateCaptions(words, (index) => `pag_${index}`).map(({ startMs, endMs }) =>
    wordsBetween(words, startMs, endMs)
      .map(({ punctuated_word }) => punctuated_word)
      .join(' '),
  )
}
const letters = (length: number) => 'a'.repeat(length)
const pageCount = (...spoken: Spoken) => pagesOf(spoken).length

describe('two words share a page', () => {
  it.each([
    // A page of 22 characters is full; each more costs 90, and a page on its own the square of its room.
    [11, 10, 1],
    [6, 18, 1],
    [7, 17, 2],
    [11, 12, 1],
    [12, 12, 2],
    // A word may be longer than a page.
    [21, 23, 2],
    [3, 26, 2],
  ])('of %i and %i letters: on %i pages', (first, second, pages) => {
    expect(pageCount([letters(first)], [letters(second)])).toBe(pages)
  })

  it.each([
    [600, 700, 2],
    [599, 700, 1],
    [700, 350, 2],
    [700, 349, 1],
  ])('of 12 letters, where one would be shown for less than 600 ms: spoken in %i and %i ms', (one, other, pages) => {
    expect(pageCount([letters(12), one], [letters(12), other])).toBe(pages)
  })

  it('with two more: at most four', () => {
    expect(pagesOf([['a'], ['a'], ['a'], ['a']])).toEqual(['a a a a'])
    expect(pageCount(['a'], ['a'], ['a'], ['a'], ['a'])).toBe(2)
  })

  it.each([
    [349, 1],
    [350, 2],
  ])('after a pause of %i ms: on %i pages', (pauseMs, pages) => {
    expect(pageCount(['one'], ['two', 700, pauseMs])).toBe(pages)
  })

  it.each([
    ['one.', 2],
    ['Mr.', 1],
    ['one,', 1],
  ])('after “%s”: on %i pages', (first, pages) => {
    expect(pageCount([first], ['two'])).toBe(pages)
  })
})

describe('words that are read as one', () => {
  it.each([
    ['12345678901234', 'milliarden'],
    ['$1,345,678,901', 'milliarden'],
    ['12345678901234', 'milliarden,'],
    ['Boeingboeing', '123456789012'],
    ['iPhoneiPhone', '123456789012'],
    ['#aaaaaaaaaaa', '123456789012'],
    ['approx.', letters(18)],
  ])('share a page where others do not: %s %s', (first, second) => {
    expect(pageCount([first], [second])).toBe(1)
  })

  it.each([
    ['1234567890123,', 'milliarden'],
    ['12345678901234', 'milliardons'],
    ['a2345678901234', 'milliarden'],
    ['boeingboeing', '123456789012'],
    ['Boeingboein.', '123456789012'],
    ['Boeingboein,', '123456789012'],
    ['Boeingboeing', 'a23456789012'],
    ['approxi', letters(18)],
  ])('are not: %s %s', (first, second) => {
    expect(pageCount([first], [second])).toBe(2)
  })

  it('cost 500 to part, and share a page of up to 30 characters', () => {
    const named = (length: number) => `A${letters(length - 1)}`
    const number = (length: number) => '1'.repeat(length)
    expect(pageCount([named(12)], [number(16)])).toBe(1)
    expect(pageCount([named(13)], [number(15)])).toBe(2)
    expect(pageCount([named(6)], [number(23)])).toBe(1)
    expect(pageCount([named(6)], [number(24)])).toBe(2)
  })
})

describe('an emoji of the text', () => {
  it('stays with the word before it, after any pause and any length', () => {
    expect(pagesOf([['Great!'], ['🎉', 700, 5_000], ['Then']])).toEqual(['Great! 🎉', 'Then'])
    expect(pageCount([letters(28)], ['🎉'])).toBe(1)
    expect(pageCount(['🎉'], ['Great'])).toBe(1)
  })

  it('is one without letters and digits', () => {
    expect(pageCount(['Great!'], ['🎉a'])).toBe(2)
    expect(pageCount(['Great!'], ['—'])).toBe(2)
  })
})

describe('the words of a span', () => {
  it('are those that start in it, its end excluded', () => {
    const words = heard([['one'], ['two'], ['three']])
    expect(wordsBetween(words, 700, 1_400).map(({ text }) => text)).toEqual(['two'])
    expect(wordsBetween(words, 701, 1_401).map(({ text }) => text)).toEqual(['three'])
  })

  it('are repeated by other spans up to the size of a stored timeline, each with 60 bytes', () => {
    const words = heard([['four']])
    const spans = (count: number) => Array.from({ length: count }, () => ({ startMs: 0, endMs: 700 }))
    const most = storedTimelineBytesMax / 64
    expect(refusalCodeOf(() => refuseOverlappingSpans(words, spans(most)))).toBeUndefined()
    expect(refusalCodeOf(() => refuseOverlappingSpans(words, spans(most + 1)))).toBe('payload-too-large')
  })
})

describe('an edit of captions', () => {
  const mint = (prefix: string) => `${prefix}_new`
  const [word] = heard([['one']])
  const page: CaptionPage = { id: 'pag_0', startMs: 0, endMs: 900, hidden: true, emoji: { id: 'tada' } }
  const stored = { captions: [word!], captionsPages: [page] }

  it('keeps a list that is not sent', () => {
    expect(mergeCaptions(stored, {}, mint)).toEqual(stored)
    expect(mergeCaptions(stored, { captions: [] }, mint)).toEqual({ ...stored, captions: [] })
    expect(mergeCaptions(stored, { captionsPages: [] }, mint)).toEqual({ ...stored, captionsPages: [] })
  })

  it('keeps the decorations of a page with the same id, and mints an id for a new one', () => {
    const sent = [
      { id: 'pag_0', startMs: 5, endMs: 95 },
      { startMs: 100, endMs: 200 },
      { ...page, id: 'pag_9' },
    ]
    expect(mergeCaptions(stored, { captionsPages: sent }, mint).captionsPages).toEqual([
      { ...page, startMs: 5, endMs: 95 },
      { id: 'pag_new', startMs: 100, endMs: 200, hidden: false },
      { ...page, id: 'pag_9' },
    ])
    const { id: _id, ...unnamed } = word!
    expect(mergeCaptions(stored, { captions: [unnamed, word!] }, mint).captions).toEqual([
      { ...word, id: 'cap_new' },
      word,
    ])
  })

  it('has a confidence from 0 to 1', () => {
    const isValid = (confidence: number) => v.safeParse(captionWord, { ...word, confidence }).success
    expect([-0.01, 0, 1, 1.01].map(isValid)).toEqual([false, true, true, false])
  })
})

it('the WebVTT file has its visible pages with words in the order of time, each in one line', () => {
  const words = heard([['one'], ['two\n\nthree'], ['four']])
  const page = (startMs: number, endMs: number, hidden = false) => ({ id: `pag_${startMs}`, startMs, endMs, hidden })
  const pages = [page(1_400, 2_100), page(0, 700, true), page(700, 1_400), page(9_000, 9_500)]
  expect(webVtt(words, pages)).toBe(
    'WEBVTT\n\n00:00:00.700 --> 00:00:01.400\ntwo three\n\n00:00:01.400 --> 00:00:02.100\nfour\n',
  )
})
