import { expect, test } from 'vitest'
import type { EditorDocument } from '../../../studio/editor/document.ts'
import { snapped, trimEnd, trimMsMin, wordBorders } from '../../../studio/editor/trim.ts'

const documentOf = (...spans: [startMs: number, endMs: number][]) =>
  ({
    bRolls: spans.map(([startMs, endMs], index) => ({ id: `brl_${index}`, startMs, endMs })),
    captions: spans.map(([startMs, endMs]) => ({ startMs, endMs })),
  }) as unknown as EditorDocument
const spansOf = ({ bRolls }: EditorDocument) => bRolls.map(({ startMs, endMs }) => [startMs, endMs])

test('the segment that follows without a gap starts where the trimmed one ends', () => {
  const document = documentOf([0, 1_000], [1_000, 2_000], [2_000, 3_000])
  expect(spansOf(trimEnd(document, 'bRolls', 'brl_0', 1_400.4))).toEqual([
    [0, 1_400],
    [1_400, 2_000],
    [2_000, 3_000],
  ])
})

test('a trim leaves neither segment shorter than the least length', () => {
  const document = documentOf([0, 1_000], [1_000, 2_000])
  expect(spansOf(trimEnd(document, 'bRolls', 'brl_0', 9_000))[1]).toEqual([2_000 - trimMsMin, 2_000])
  expect(spansOf(trimEnd(document, 'bRolls', 'brl_0', -5))[0]).toEqual([0, trimMsMin])
})

test('a gap stays: a trim ends where the next segment starts, which keeps its place', () => {
  const document = documentOf([0, 1_000], [1_500, 2_000])
  expect(spansOf(trimEnd(document, 'bRolls', 'brl_0', 1_800))).toEqual([
    [0, 1_500],
    [1_500, 2_000],
  ])
})

test('a trim to the same time, or of an unknown segment, is no edit', () => {
  const document = documentOf([0, 1_000], [1_000, 2_000])
  expect(trimEnd(document, 'bRolls', 'brl_0', 1_000)).toBe(document)
  expect(trimEnd(document, 'bRolls', 'brl_9', 500)).toBe(document)
})

test('a time snaps to the nearest border of a word within reach', () => {
  const borders = wordBorders(documentOf([0, 400], [400, 900]))
  expect(borders).toEqual([0, 400, 900])
  expect(snapped(430, borders, 50)).toBe(400)
  expect(snapped(470, borders, 50)).toBe(470)
  expect(snapped(660, borders, 1_000)).toBe(900)
})
