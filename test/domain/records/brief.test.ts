/** A brief: the title of a video that has none, whose words are spoken, and how long they may take. */
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { brief, requestedSecondsMax, speaksOwnText, webUrl, workingTitle } from '../../../lib/domain/records/brief.ts'
import { briefWith } from '../support/videos.ts'

describe('a working title', () => {
  const titleOf = (prompt: string | null, text: string | null = null) => workingTitle({ prompt, text })
  const words = (length: number) => 'a'.repeat(length)

  it('is the idea, or else the text, in one line', () => {
    expect(titleOf(' Calm \n mornings ', 'Other')).toBe('Calm mornings')
    expect(titleOf('  ', ' Own  words. ')).toBe('Own words.')
    expect(titleOf(null)).toBe('')
  })

  it('has at most 60 characters', () => {
    expect(titleOf(words(60))).toBe(words(60))
    expect(titleOf(words(61))).toBe(`${words(59)}…`)
    expect(titleOf('🎤'.repeat(60))).toBe('🎤'.repeat(60))
    expect(titleOf('🎤'.repeat(61))).toBe(`${'🎤'.repeat(59)}…`)
  })

  it('ends with a word, unless that would leave 20 characters or less', () => {
    expect(titleOf(`${words(21)} ${words(50)}`)).toBe(`${words(21)}…`)
    expect(titleOf(`${words(20)} ${words(50)}`)).toBe(`${words(20)} ${words(38)}…`)
    expect(titleOf(`${words(30)} ${words(20)} ${words(50)}`)).toBe(`${words(30)} ${words(20)}…`)
  })
})

it.each([
  ['script', 'Own words.', true],
  ['script', null, true],
  ['auto', 'Own words.', true],
  ['auto', ' ', false],
  ['auto', null, false],
  ['idea', 'Own words.', false],
] as const)('with the mode %s and the text %j the own text is spoken: %s', (inputMode, text, expected) => {
  expect(speaksOwnText(briefWith({ inputMode, text }))).toBe(expected)
})

it('the longest video is that of the target, or else of the duration', () => {
  const seconds = (fields: Parameters<typeof briefWith>[0]) => requestedSecondsMax(briefWith(fields))
  expect([seconds({}), seconds({ videoDuration: 'short' }), seconds({ videoDuration: 'medium' })]).toEqual([
    60, 180, 600,
  ])
  expect(seconds({ targetDuration: 7, videoDuration: 'medium' })).toBe(7)
})

it.each([
  ['targetDuration', 1, 0.9],
  ['targetDuration', 600, 600.1],
  ['prompt', 'a'.repeat(4_000), 'a'.repeat(4_001)],
  ['text', 'a'.repeat(12_000), 'a'.repeat(12_001)],
  ['description', 'a'.repeat(2_000), 'a'.repeat(2_001)],
  ['voiceId', 'a'.repeat(255), 'a'.repeat(256)],
  ['presenter', { occurrences: 1 }, { occurrences: 0 }],
] as const)('the bound of %s is exact', (name, within, beyond) => {
  const isValid = (value: unknown) => v.safeParse(brief.entries[name], value).success
  expect([isValid(within), isValid(beyond)]).toEqual([true, false])
})

it('a presentation has at most 50 assets', () => {
  const isValid = (count: number) =>
    v.is(brief.entries.presentationAssets, Array(count).fill({ type: 'image', url: 'https://a.example/a.png' }))
  expect([isValid(50), isValid(51)]).toEqual([true, false])
})

it('a URL has at most 2,048 characters', () => {
  const url = `https://a.example/${'x'.repeat(2_048 - 'https://a.example/'.length)}`
  expect([v.is(webUrl, url), v.is(webUrl, `${url}x`), v.is(webUrl, 'ftp://a.example/')]).toEqual([true, false, false])
})
