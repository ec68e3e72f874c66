/** Bounds of texts and lists that a client sends: counted in characters, and before anything is validated. */
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { boundedList, boundedText, characterCount, nonBlankText, normalUrl } from '../../../lib/domain/core/bounded.ts'

const messagesOf = (schema: v.GenericSchema, value: unknown) =>
  v.safeParse(schema, value).issues?.map(({ message }) => message)

describe('a bounded text', () => {
  const tooLong = ['must be at most 3 characters long']

  it.each([
    ['', undefined],
    ['abc', undefined],
    ['abcd', tooLong],
    ['🎤🎤🎤', undefined],
    ['🎤🎤🎤a', tooLong],
    ['🎤🎤🎤🎤', tooLong],
    ['a🎤🎤', undefined],
    ['ab🎤c', tooLong],
  ])('“%s” is counted in characters, of at most three', (text, messages) => {
    expect(messagesOf(boundedText(3), text)).toEqual(messages)
  })

  it('counts a letter outside of the first plane as one character', () => {
    expect([characterCount(''), characterCount('a🎤'), characterCount('🎤🎤')]).toEqual([0, 2, 2])
  })

  it('that must not be blank loses the space around it, after it was counted', () => {
    expect(v.parse(nonBlankText(4), ' ab ')).toBe('ab')
    expect(messagesOf(nonBlankText(4), ' ab  ')).toEqual(['must be at most 4 characters long'])
    expect(messagesOf(nonBlankText(4), ' \n ')).toEqual(['must not be empty'])
  })
})

it('a URL has its normal form', () => {
  expect(v.parse(v.pipe(v.string(), normalUrl()), 'HTTPS://Exämple.com/a b')).toBe('https://xn--exmple-cua.com/a%20b')
})

describe('a bounded list', () => {
  const list = boundedList(v.number('must be a number'), 2)

  it('holds as many items as its bound', () => {
    expect(v.parse(list, [])).toEqual([])
    expect(v.parse(list, [1, 2])).toEqual([1, 2])
  })

  it('is refused for its length before any item is validated', () => {
    expect(messagesOf(list, ['a', 'b', 'c'])).toEqual(['must hold at most 2 items'])
    expect(messagesOf(list, ['a', 'b'])).toEqual(['must be a number', 'must be a number'])
  })

  it('is a list: nothing else is refused for its length', () => {
    expect(messagesOf(list, 'abc')).toEqual([expect.stringMatching(/^Invalid type: Expected Array/)])
  })
})
