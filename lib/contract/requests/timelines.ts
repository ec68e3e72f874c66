/** Bodies of the routes that replace a timeline. Read-only and unknown keys are dropped, so that a response can be sent back. */
import * as v from 'valibot'
import { plainObject } from '../../domain/core/plain-object.ts'
import type { Span } from '../../domain/core/timeline-item.ts'
import { itemId, offsetMs } from '../../domain/core/timeline-item.ts'
import { bRollsMax, mediaTypes } from '../../domain/generation/b-rolls.ts'
import { captionPagesMax, captionWord, captionWordsMax } from '../../domain/generation/captions/captions.ts'
import { presentationScene, presentationScenesMax } from '../../domain/generation/scenes/presentation-scenes.ts'
import { presenter } from '../../domain/records/brief.ts'

/** 6,000 caption words take 848 KiB; presentation scenes may hold an editor's drawings. */
export const timelineBytesMax = 4 * 1024 * 1024

/** Absent and null mean the same: an id is minted. */
const id = v.nullish(itemId)

/** At most `itemsMax` items, counted before any is validated, and no duplicate ids. */
const timelineArray = <const Item extends v.GenericSchema<unknown, { id?: string | null | undefined }>>(
  item: Item,
  itemsMax: number,
) => {
  const limit = `must hold at most ${itemsMax} items`
  const isCounted = (value: unknown) => !Array.isArray(value) || value.length <= itemsMax
  const described = v.pipe(v.array(item), v.maxLength(itemsMax))
  return v.pipe(
    Object.assign(v.custom<v.InferInput<Item>[]>(isCounted, limit), { described }),
    v.array(item),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const seen = new Set<string>()
      for (const [key, value] of dataset.value.entries()) {
        if (value.id && seen.has(value.id))
          addIssue({
            message: 'duplicates the id of an earlier item',
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
    /** The text as shown; the default is `text`. */
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
  v.check(
    ({ captions, captionsPages }) => Boolean(captions ?? captionsPages),
    'must contain captions, captionsPages or both',
  ),
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

/** Any time: the domain clamps or drops scenes outside the video. */
const anyOffsetMs = v.pipe(v.number(), v.safeInteger('must be a whole number of milliseconds'))
const visual = v.object({
  type: known.visual.entries.type,
  items: v.optional(known.visual.entries.items, 0),
  anchors: v.optional(known.visual.entries.anchors, []),
})

/** Drawings are nested a few levels deep. `JSON.parse` reads far deeper nesting than `JSON.stringify` can write. */
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

/** Breadth-first without recursion, which a deep body would overflow; stops above the limit. */
function nestingDepth(value: unknown): number {
  let levels = 0
  for (let level = [value]; level.length > 0 && levels <= nestingDepthMax; levels++)
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  return levels
}

export const replacePresentationScenesRequest = timelineArray(
  v.object({
    id,
    startMs: anyOffsetMs,
    endMs: anyOffsetMs,
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

const { imageUrl, avatarId, name } = presenter.entries

/** Gives a `PresenterInput`. Absent and null mean the presenter of the brief. */
export const makePresenterRequest = v.object({
  imageUrl: v.nullish(imageUrl.wrapped, null),
  avatarId: v.nullish(avatarId.wrapped, null),
  name: v.nullish(name.wrapped, null),
})
