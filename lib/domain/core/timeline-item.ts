/** What all timeline items share: an id that the client may choose, a span in milliseconds, a size limit. */
import * as v from 'valibot'
import { idPattern } from './bounded.ts'
import type { IdPrefix } from './id.ts'
import { Refusal } from './refusal.ts'
import { formatBytes } from './text.ts'

/** Of the longest video, which is an uploaded one, on any plan. */
export const timelineSecondsMax = 1_800
/** Characters of all words of a video. */
export const captionTextLengthMax = 200_000
/** Words of a video, and items that each begin with one of them: faster speech than anyone's. */
export const timelineItemsMax = 10 * timelineSecondsMax
/** Of a text that repeats the words of a video: all of them, with spaces between. */
export const spokenTextLengthMax = captionTextLengthMax + timelineItemsMax

/** Less than a day: subtitle files write times as hours, minutes and seconds. */
const offsetMsMax = 24 * 60 * 60 * 1000 - 1

export const itemId = v.pipe(v.string(), v.regex(idPattern, 'must be 1 to 64 letters, digits or "_"'))

export const offsetMs = v.pipe(
  v.number(),
  v.integer('must be a whole number of milliseconds'),
  v.minValue(0, 'must be at least 0'),
  v.maxValue(offsetMsMax, `must be at most ${offsetMsMax}`),
)

export interface Span {
  startMs: number
  endMs: number
}

/** A word with the time at which the narrator speaks it. */
export interface TimedWord extends Span {
  text: string
}

/** Creates the id of an item that was sent without one. */
export type MintItemId = (prefix: IdPrefix) => string

/** A Lambda response is at most 6 MB of JSON with escaped quotes. A 4 MB body merged with a stored timeline could exceed that. */
export const storedTimelineBytesMax = 5.5 * 1024 * 1024

/** Returns the timeline; refuses one that is too large for a response. */
export function withinSizeLimit<Timeline>(timeline: Timeline): Timeline {
  const json = JSON.stringify(timeline)
  // Escaping doubles JSON at most.
  const isSurelyWithin = 2 * Buffer.byteLength(json) + 2 <= storedTimelineBytesMax
  if (!isSurelyWithin && Buffer.byteLength(JSON.stringify(json)) > storedTimelineBytesMax)
    throw new Refusal(
      'payload-too-large',
      `The timeline would exceed ${formatBytes(storedTimelineBytesMax)} of escaped JSON. Shorten it or split the video.`,
    )
  return timeline
}

/** The items of a timeline by id. */
export const byId = <Item extends { id: string }>(items: readonly Item[]): Map<string, Item> =>
  new Map(items.map((item) => [item.id, item]))
