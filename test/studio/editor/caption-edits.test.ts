/** Edits of captions: every word stays on exactly one page, in order. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  editWord,
  mergePage,
  retimeWord,
  setPageHidden,
  splitPage,
  wordMsMin,
  wordsOf,
} from '../../../studio/editor/caption-edits.ts'

const word = (id: string, startMs: number, endMs: number) => ({
  ...{ id, startMs, endMs, text: id, punctuated_word: id, confidence: 1 },
})
const page = (id: string, startMs: number, endMs: number) => ({ id, startMs, endMs, hidden: false })
const captions = {
  captions: [word('a', 0, 300), word('b', 300, 600), word('c', 900, 1_200), word('d', 1_200, 1_500)],
  captionsPages: [page('p', 0, 900), page('q', 900, 1_600)],
}
const shown = (edited: typeof captions) =>
  edited.captionsPages.map((each) => wordsOf(edited, each).map(({ punctuated_word }) => punctuated_word))

describe('the text of a word', () => {
  it('is replaced, and its plain form with it', () => {
    expect(editWord(captions, 'b', 'Rome!').captions[1]).toMatchObject({ punctuated_word: 'Rome!', text: 'rome' })
  })
  it('becomes two words with a space, which share its time', () => {
    const edited = editWord(captions, 'b', 'New York')
    expect(shown(edited)[0]).toEqual(['a', 'New', 'York'])
    expect(edited.captions[2]).toMatchObject({ startMs: 450, endMs: 600 })
    expect(edited.captions[1]!.id).toBe('b')
  })
  it('is removed with the word if nothing is left', () => {
    expect(shown(editWord(captions, 'b', ' '))).toEqual([['a'], ['c', 'd']])
  })
})

describe('pages', () => {
  it('are merged with the next one, and split before a word', () => {
    const merged = mergePage(captions, 'p')
    expect(shown(merged)).toEqual([['a', 'b', 'c', 'd']])
    expect(shown(splitPage(merged, 'd'))).toEqual([['a', 'b', 'c'], ['d']])
  })
  it('stay as they are where there is nothing to merge or split', () => {
    expect(mergePage(captions, 'q')).toBe(captions)
    expect(splitPage(captions, 'c')).toBe(captions)
  })
  it('are hidden and shown', () => {
    expect(setPageHidden(captions, 'q', true).captionsPages[1]!.hidden).toBe(true)
  })
})

it('a word keeps its page and its place at any time that it is given', () => {
  const anyMs = fc.integer({ min: 0, max: 3_000 })
  fc.assert(
    fc.property(fc.constantFrom('a', 'b', 'c', 'd'), anyMs, anyMs, (id, startMs, endMs) => {
      const edited = retimeWord(captions, id, { startMs, endMs })
      expect(shown(edited)).toEqual(shown(captions))
      const times = edited.captions.flatMap((each) => [each.startMs, each.endMs])
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      for (const each of edited.captions) expect(each.endMs - each.startMs).toBeGreaterThanOrEqual(wordMsMin)
    }),
  )
})
