/** Title search ignores case and matches all Unicode normalization forms. */
import { expect, it } from 'vitest'
import { isVideoIndex, queryVideoIndex, type VideoIndex } from '../../../lib/domain/videos/video-index.ts'
import { videoRow } from '../../../lib/store/core/rows.ts'
import { at, videoInputWith, videoThatIs } from '../support/videos.ts'

const row = { id: 'vid_1', listSk: `${at(0)}#vid_1`, type: 'faceless', subType: null, status: 'processing' } as const
const libraryOf = (searchTitle: string): VideoIndex => ({ until: at(0), videos: [{ ...row, searchTitle }] })
const finds = (title: string, search: string) => {
  const { searchTitle } = videoRow(videoThatIs.queued(videoInputWith({ title })))
  return queryVideoIndex(libraryOf(String(searchTitle)), { search }).length === 1
}

it.each([
  ['Morning Bread', 'NING BR'],
  ['Straße', 'STRASSE'],
  ['STRASSE', 'straße'],
  ['ΟΔΟΣΑ', 'ΟΔΟΣ'],
  ['cafe\u0301', 'caf\u00e9'],
  ['CAF\u00c9', 'cafe\u0301'],
])('a title "%s" is found by "%s"', (title, search) => {
  expect(finds(title, search)).toBe(true)
})

it('a title with another word is not found', () => {
  expect(finds('Café', 'cafes')).toBe(false)
})

it('a title from an earlier version, which stored only its lower case, is found as before', () => {
  expect(queryVideoIndex(libraryOf('straße'), { search: 'Straße' })).toEqual(['vid_1'])
})

it.each([
  [{ until: at(0), videos: [] }, true],
  [{ until: 7, videos: [] }, false],
  [{ until: at(0), videos: {} }, false],
  [{ videos: [] }, false],
  [{ until: at(0) }, false],
  ['until', false],
  [null, false],
])('a stored document %j is an index: %s', (value, isIndex) => {
  expect(isVideoIndex(value)).toBe(isIndex)
})
