/** The keywords of a text. */
import { expect, it } from 'vitest'
import { extractKeywords } from '../../../lib/domain/generation/keywords.ts'

it('are its longest content words, five at most, in the order of the text', () => {
  const text = 'The quick ships carry golden oranges over stormy northern waters.'
  expect(extractKeywords(text)).toEqual(['golden', 'oranges', 'stormy', 'northern', 'waters'])
  expect(extractKeywords(text, 2)).toEqual(['oranges', 'northern'])
})

it('are each named once, without short words and stop words', () => {
  expect(extractKeywords('Tea, tea and TEA at an inn')).toEqual(['tea', 'inn'])
  expect(extractKeywords('It is so')).toEqual([])
})
