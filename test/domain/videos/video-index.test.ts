/** Title search ignores case and matches all Unicode normalization forms. */
import { expect, it } from 'vitest'
import {
  isIndexFresh,
  isVideoIndex,
  queryVideoIndex,
  settledChangeCount,
  updateVideoIndex,
  type VideoIndex,
} from '../../../lib/domain/videos/video-index.ts'
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

const videoAt = (id: string, second: number) => ({ ...row, id, listSk: `${at(second)}#${id}`, searchTitle: id })
const idsIn = ({ videos }: VideoIndex) => videos.map(({ id }) => id).toSorted()

it('an update adds, replaces and keeps videos, and covers all changes but those of the last five minutes', () => {
  const before: VideoIndex = { until: at(0), videos: [videoAt('vid_1', 1), videoAt('vid_2', 2)] }
  const after = updateVideoIndex(before, [videoAt('vid_2', 400), videoAt('vid_3', 500)], [], at(600))
  expect(after.until).toBe(at(300))
  expect(after.videos.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
    videoAt('vid_1', 1),
    videoAt('vid_2', 400),
    videoAt('vid_3', 500),
  ])
  expect(idsIn(updateVideoIndex(undefined, [videoAt('vid_1', 1)], [], at(600)))).toEqual(['vid_1'])
})

it('a video that is read twice keeps its newest entry', () => {
  for (const read of [
    [videoAt('vid_1', 2), videoAt('vid_1', 1)],
    [videoAt('vid_1', 1), videoAt('vid_1', 2)],
  ])
    expect(updateVideoIndex(undefined, read, [], at(600)).videos).toEqual([videoAt('vid_1', 2)])
})

it('a deleted video leaves, unless it was active after its tombstone', () => {
  const before: VideoIndex = {
    until: at(0),
    videos: [videoAt('vid_1', 10), videoAt('vid_2', 10), videoAt('vid_3', 10)],
  }
  const gone = [
    { videoId: 'vid_1', at: at(10) },
    { videoId: 'vid_2', at: at(9) },
    { videoId: 'vid_unknown', at: at(99) },
  ]
  expect(idsIn(updateVideoIndex(before, [], gone, at(600)))).toEqual(['vid_2', 'vid_3'])
})

it('a document is updated for 25 days, then rebuilt', () => {
  const until = at(0)
  const day = 24 * 60 * 60
  expect(isIndexFresh({ until, videos: [] }, at(25 * day - 1))).toBe(true)
  expect(isIndexFresh({ until, videos: [] }, at(25 * day))).toBe(false)
  expect(isIndexFresh(undefined, at(0))).toBe(false)
})

it('changes before its end are settled', () => {
  const library: VideoIndex = { until: at(10), videos: [] }
  const active = [videoAt('vid_1', 9), videoAt('vid_2', 10), videoAt('vid_3', 11)]
  expect(settledChangeCount(library, active, [{ videoId: 'vid_4', at: at(9) }])).toBe(2)
})

it('a query has every filter, and the newest activity first', () => {
  const index: VideoIndex = {
    until: at(0),
    videos: [
      { ...videoAt('vid_1', 1), type: 'ai', status: 'ready' },
      { ...videoAt('vid_2', 3), subType: 'presentation' },
      { ...videoAt('vid_3', 2), status: 'ready' },
    ],
  }
  expect(queryVideoIndex(index, {})).toEqual(['vid_2', 'vid_3', 'vid_1'])
  expect(queryVideoIndex(index, { type: 'faceless' })).toEqual(['vid_2', 'vid_3'])
  expect(queryVideoIndex(index, { subType: 'presentation' })).toEqual(['vid_2'])
  expect(queryVideoIndex(index, { status: 'ready', type: 'ai' })).toEqual(['vid_1'])
  expect(queryVideoIndex(index, { status: 'ready', search: 'ID_3' })).toEqual(['vid_3'])
})
