/** B-roll segments: the visuals that are shown during the narration. */
import * as v from 'valibot'
import { boundedText, listOf, nameLengthMax, urlLengthMax } from '../core/bounded.ts'
import { notFound } from '../core/refusal.ts'
import type { MintItemId, Span } from '../core/timeline-item.ts'
import {
  byId,
  itemId,
  offsetMs,
  spokenTextLengthMax,
  timelineItemsMax,
  withinSizeLimit,
} from '../core/timeline-item.ts'
import { freeTextLengthMax, openName } from '../records/brief.ts'
import { keywordLengthMax } from './keywords.ts'

/** Per request. A generated timeline has at most one segment for each spoken word. */
export const bRollsMax = 500
/** Of a segment. */
export const keywordsMax = 50

export const mediaTypes = ['ai_image', 'stock_footage', 'ai_video'] as const

export const bRoll = v.object({
  id: itemId,
  startMs: offsetMs,
  endMs: offsetMs,
  text: boundedText(spokenTextLengthMax),
  prompt: boundedText(spokenTextLengthMax),
  keywords: listOf(boundedText(keywordLengthMax), keywordsMax),
  mediaType: v.picklist(mediaTypes),
  /** Resolved by the pipeline; read-only through the API. */
  url: v.nullable(boundedText(urlLengthMax)),
  type: v.nullable(v.picklist(['video', 'image'])),
  qualityUrls: v.optional(v.record(v.string(), boundedText(urlLengthMax))),
  animation: v.optional(boundedText(freeTextLengthMax)),
  transition: v.optional(openName),
  /** `presenter` if the segment is reserved for the brief's presenter (`presenter-segments.ts`). */
  layout: v.optional(openName),
  scale: v.optional(v.number()),
  hidden: v.boolean(),
  audioEffect: v.optional(v.record(v.string(), v.unknown())),
  presenter: v.optional(
    v.object({
      imageUrl: boundedText(urlLengthMax),
      avatarId: boundedText(nameLengthMax),
      name: boundedText(nameLengthMax),
      bytes: v.number(),
      generatedAt: v.pipe(v.string(), v.isoTimestamp()),
    }),
  ),
})
/** The segments of a video. */
export const bRollTimeline = listOf(bRoll, timelineItemsMax)
export type BRoll = v.InferOutput<typeof bRoll>

/** The stored form: a storage key instead of URLs, which depend on the deployment. */
export type StoredBRoll = Omit<BRoll, 'url' | 'type'> & { media: StoredMedia | null }

interface StoredMedia {
  kind: 'still' | 'clip'
  key: string
  /** The line that names the author, where a licence requires it. */
  credit?: string
}

/** A segment of a request. */
type BRollInput = Span &
  Partial<Pick<BRoll, 'text' | 'prompt' | 'keywords' | 'mediaType'>> & { id?: string | null | undefined }

/**
 * The timeline after an edit: exactly the sent segments. Each is merged over the stored one with its id, which preserves
 * its media and style; one with a new id has no media until a generation makes it.
 */
export function mergeBRolls(
  stored: readonly StoredBRoll[],
  sent: readonly BRollInput[],
  mint: MintItemId,
): StoredBRoll[] {
  const segments = byId(stored)
  const blank = { text: '', prompt: '', keywords: [], mediaType: 'ai_image' as const, hidden: false, media: null }
  return withinSizeLimit(
    sent.map(({ id, ...fields }) => ({
      ...blank,
      ...(id ? segments.get(id) : undefined),
      id: id ?? mint('brl'),
      ...fields,
    })),
  )
}

export function requireSegment(bRolls: readonly StoredBRoll[], segmentId: string): StoredBRoll {
  const found = bRolls.find(({ id }) => id === segmentId)
  if (!found) throw notFound('b-roll segment')
  return found
}

/** The segments with a picture of the client as the media of one. What described the media before is dropped. */
export function withOwnPicture(
  bRolls: readonly StoredBRoll[],
  segmentId: string,
  key: string,
): { bRolls: StoredBRoll[]; segment: StoredBRoll } {
  const before = requireSegment(bRolls, segmentId)
  const { presenter: _presenter, qualityUrls: _qualityUrls, ...kept } = before
  const segment: StoredBRoll = { ...kept, media: { kind: 'still', key } }
  return { bRolls: bRolls.map((other) => (other === before ? segment : other)), segment }
}
