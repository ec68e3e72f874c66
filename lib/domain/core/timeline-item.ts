/** What the items of all timelines have in common: an id that the client may choose, and a span in milliseconds. */
import * as v from 'valibot'
import type { IdPrefix } from './id.ts'
import { Refusal } from './refusal.ts'

/** A timeline ends within a day: times are written as hours, minutes and seconds. */
const offsetMsMax = 24 * 60 * 60 * 1000 - 1

export const itemId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_]{1,64}$/, 'must be 1 to 64 letters, digits or "_"'))

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

/** Names an item that came without an id. */
export type MintItemId = (prefix: IdPrefix) => string

/** An answer leaves Lambda as a JSON string in 6 MB, quotes escaped; a body of 4 MB with what was stored before may be longer. */
export const storedTimelineBytesMax = 5.5 * 1024 * 1024

/** A timeline as it may be kept; refused where it has grown too long to be answered. */
export function withinSizeLimit<Timeline>(timeline: Timeline): Timeline {
  if (Buffer.byteLength(JSON.stringify(JSON.stringify(timeline))) > storedTimelineBytesMax)
    throw new Refusal(
      'payload-too-large',
      `The timeline would be longer than ${storedTimelineBytesMax} bytes of escaped JSON.`,
    )
  return timeline
}

/** The items of a stored timeline, to be found by id. */
export const byId = <Item extends { id: string }>(items: readonly Item[]): Map<string, Item> =>
  new Map(items.map((item) => [item.id, item]))

/** A word as the narrator spoke it. */
export interface TimedWord {
  text: string
  startMs: number
  endMs: number
}
