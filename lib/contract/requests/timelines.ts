/** Bodies of the PUTs that replace a timeline. What is read-only or unknown is dropped, so that an answer can be sent back. */
import * as v from 'valibot'
import { plainObject } from '../../domain/core/plain-object.ts'
import type { Span } from '../../domain/core/timeline-item.ts'
import { itemId, offsetMs } from '../../domain/core/timeline-item.ts'
import { bRollsMax, mediaTypes } from '../../domain/generation/b-rolls.ts'
import { captionPagesMax, captionWord, captionWordsMax } from '../../domain/generation/captions/captions.ts'
import { presentationScene, presentationScenesMax } from '../../domain/generation/scenes/presentation-scenes.ts'

/** 6,000 caption words are 848 KiB; scenes may carry drawings of an editor. */
export const timelineBytesMax = 4 * 1024 * 1024

/** Absent and null mean the same: a missing id is minted. */
const id = v.nullish(itemId)

/** At most so many items, counted before any is looked at, and each id once: it is how an item is found. */
const timelineArray = <const Item extends v.GenericSchema<unknown, { id?: string | null | undefined }>>(
  item: Item,
  itemsMax: number,
) => {
  const few = `must hold at most ${itemsMax} items`
  const isCounted = (value: unknown) => !Array.isArray(value) || value.length <= itemsMax
  const described = v.pipe(v.array(item), v.maxLength(itemsMax))
  return v.pipe(
    Object.assign(v.custom<v.InferInput<Item>[]>(isCounted, few), { described }),
    v.array(item),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const seen = new Set<string>()
      for (const [key, value] of dataset.value.entries()) {
        if (value.id && seen.has(value.id))
          addIssue({
            message: 'is the id of an item before it',
            path: [
              { type: 'array', origin: 'value', input: dataset.value, key, value },
              { type: 'object', origin: 'value', input: value, key: 'id', value: value.id },
            ],
          })
        if (value.id) seen.add(value.id)
      }
    }),
  )
}

const endsAfterStart = <Item extends Record<string, unknown> & Span>() =>
  v.rawCheck<Item>(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value.endMs >= dataset.value.startMs) return
    const { value: input } = dataset
    addIssue({
      message: 'must be at or after startMs',
      path: [{ type: 'object', origin: 'value', input, key: 'endMs', value: input.endMs }],
    })
  })

const word = v.pipe(
  v.object({
    id,
    startMs: offsetMs,
    endMs: offsetMs,
    text: captionWord.entries.text,
    /** As it is shown; the text itself where it is absent. */
    punctuated_word: v.exactOptional(v.string()),
    confidence: v.exactOptional(captionWord.entries.confidence),
  }),
  endsAfterStart(),
  v.transform(({ punctuated_word, confidence, ...sent }) => ({
    ...sent,
    punctuated_word: punctuated_word ?? sent.text,
    confidence: confidence ?? 1,
  })),
)

const page = v.pipe(
  v.object({ id, startMs: offsetMs, endMs: offsetMs, hidden: v.exactOptional(v.boolean()) }),
  endsAfterStart(),
)

export const replaceCaptionsRequest = v.pipe(
  v.object({
    captions: v.exactOptional(timelineArray(word, captionWordsMax)),
    captionsPages: v.exactOptional(timelineArray(page, captionPagesMax)),
  }),
  v.check(({ captions, captionsPages }) => Boolean(captions ?? captionsPages), 'needs captions, captionsPages or both'),
)

export const replaceBRollsRequest = timelineArray(
  v.pipe(
    v.object({
      id,
      startMs: offsetMs,
      endMs: offsetMs,
      text: v.exactOptional(v.string()),
      prompt: v.exactOptional(v.string()),
      keywords: v.exactOptional(v.array(v.string())),
      mediaType: v.exactOptional(v.picklist(mediaTypes)),
    }),
    endsAfterStart(),
  ),
  bRollsMax,
)

const known = presentationScene.entries
/** A scene outside the film is clamped or dropped by the rule, so its times may lie anywhere. */
const anyMoment = v.pipe(v.number(), v.safeInteger('must be a whole number of milliseconds'))
const visual = v.object({
  type: known.visual.entries.type,
  items: v.optional(known.visual.entries.items, 0),
  anchors: v.optional(known.visual.entries.anchors, []),
})
/** A drawing is nested a few levels deep; much more can be read from JSON but not be written again. */
const nestingDepthMax = 32
const freeformObject = v.exactOptional(
  plainObject(
    v.pipe(
      v.record(v.string(), v.unknown()),
      v.check(
        (value) => nestingDepth(value) <= nestingDepthMax,
        `must be nested at most ${nestingDepthMax} levels deep`,
      ),
    ),
  ),
)

/** Level by level instead of by recursion, which a deep body would exhaust; no further than has to be known. */
function nestingDepth(value: unknown): number {
  let levels = 0
  for (let level = [value]; level.length > 0 && levels <= nestingDepthMax; levels++)
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  return levels
}

export const replacePresentationScenesRequest = timelineArray(
  v.object({
    id,
    startMs: anyMoment,
    endMs: anyMoment,
    text: v.exactOptional(known.text),
    emphasis: v.exactOptional(known.emphasis),
    template: v.exactOptional(known.template),
    tone: v.exactOptional(known.tone),
    caption: v.exactOptional(known.caption),
    hidden: v.exactOptional(known.hidden),
    visual: v.exactOptional(plainObject(visual)),
    content: freeformObject,
    params: freeformObject,
    direction: freeformObject,
    composed: freeformObject,
  }),
  presentationScenesMax,
)
