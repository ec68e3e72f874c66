/** B-roll segments: the visuals that are shown during the narration. */
import * as v from 'valibot'
import { notFound } from '../core/refusal.ts'
import type { MintItemId, Span } from '../core/timeline-item.ts'
import { byId, itemId, offsetMs, withinSizeLimit } from '../core/timeline-item.ts'

/** Per request. */
export const bRollsMax = 500

export const mediaTypes = ['ai_image', 'stock_footage', 'ai_video'] as const

export const bRoll = v.object({
  id: itemId,
  startMs: offsetMs,
  endMs: offsetMs,
  text: v.string(),
  prompt: v.string(),
  keywords: v.array(v.string()),
  mediaType: v.picklist(mediaTypes),
  /** Resolved by the pipeline; read-only through the API. */
  url: v.nullable(v.string()),
  type: v.nullable(v.string()),
  qualityUrls: v.optional(v.record(v.string(), v.string())),
  animation: v.optional(v.string()),
  transition: v.optional(v.string()),
  /** `presenter` if the segment is reserved for the brief's presenter (`presenter-segments.ts`). */
  layout: v.optional(v.string()),
  scale: v.optional(v.number()),
  hidden: v.boolean(),
  audioEffect: v.optional(v.record(v.string(), v.unknown())),
  presenter: v.optional(
    v.object({
      imageUrl: v.string(),
      avatarId: v.string(),
      name: v.string(),
      bytes: v.number(),
      generatedAt: v.string(),
    }),
  ),
})
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
