/** B-roll segments: what is seen while the narration runs. */
import * as v from 'valibot'

export const mediaTypes = ['ai_image', 'stock_footage', 'ai_video'] as const

export const bRoll = v.object({
  id: v.string(),
  startMs: v.number(),
  endMs: v.number(),
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

/** As it is stored: the place of its media instead of an address, which depends on where the service runs. */
export type StoredBRoll = Omit<BRoll, 'url' | 'type'> & { media: { kind: 'still' | 'clip'; key: string } | null }
