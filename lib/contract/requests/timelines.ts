/** Bodies of the routes that replace a timeline. Read-only and unknown keys are dropped, so that a response can be sent back. */
import * as v from 'valibot'
import { boundedList, boundedText, characterCount } from '../../domain/core/bounded.ts'
import { plainObject } from '../../domain/core/plain-object.ts'
import type { Span } from '../../domain/core/timeline-item.ts'
import { captionTextLengthMax, itemId, offsetMs } from '../../domain/core/timeline-item.ts'
import { bRollsMax, keywordsMax, mediaTypes } from '../../domain/generation/b-rolls.ts'
import {
  captionPagesMax,
  captionWord,
  captionWordLengthMax,
  captionWordsMax,
} from '../../domain/generation/captions/captions.ts'
import { keywordLengthMax } from '../../domain/generation/keywords.ts'
import {
  anchorsMax,
  presentationScene,
  presentationScenesMax,
  visualTypeLengthMax,
} from '../../domain/generation/scenes/presentation-scenes.ts'
import { freeTextLengthMax, presenter, scriptLengthMax } from '../../domain/records/brief.ts'
import { nestingDepth } from '../schemas.ts'

/** 6,000 caption words take 848 KiB; presentation scenes may hold an editor's drawings. */
export const timelineBytesMax = 4 * 1024 * 1024

/** Absent and null mean the same: an id is minted. */
const id = v.nullish(itemId)

/** At most `itemsMax` items, counted before any is validated, and no duplicate ids. */
const timelineArray = <const Item extends v.GenericSchema<unknown, { id?: string | null | undefined }>>(
  item: Item,
  itemsMax: number,
) =>
  v.pipe(
    boundedList(item, itemsMax),
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

const endsAfterStart = <Item extends Record<string, unknown> & Span>() =>
  v.rawCheck<Item>(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value.endMs >= dataset.value.startMs) return
    const { value: input } = dataset
    addIssue({
      message: 'must be at or after startMs',
      path: [{ type: 'object', origin: 'value', input, key: 'endMs', value: input.endMs }],
    })
  })

/** The longest word of a language is shorter; the renderer sets a word in one piece. */
const wordText = boundedText(captionWordLengthMax)

const word = v.pipe(
  v.object({
    id,
    startMs: offsetMs,
    endMs: offsetMs,
    text: wordText,
    /** The text as shown; the default is `text`. */
    punctuated_word: v.exactOptional(wordText),
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
  v.forward(
    v.check(
      ({ captions = [] }) => textLength(captions) <= captionTextLengthMax,
      `must hold at most ${captionTextLengthMax} characters of text`,
    ),
    ['captions'],
  ),
)

const textLength = (words: readonly { text: string; punctuated_word: string }[]) =>
  words.reduce(
    (sum, { text, punctuated_word }) => sum + Math.max(characterCount(text), characterCount(punctuated_word)),
    0,
  )

/** What is spoken, as long as a whole script, and how to show it. */
const spokenText = boundedText(scriptLengthMax)
const promptText = boundedText(freeTextLengthMax)

export const replaceBRollsRequest = timelineArray(
  v.pipe(
    v.object({
      id,
      startMs: offsetMs,
      endMs: offsetMs,
      text: v.exactOptional(spokenText),
      prompt: v.exactOptional(promptText),
      keywords: v.exactOptional(boundedList(boundedText(keywordLengthMax), keywordsMax)),
      mediaType: v.exactOptional(v.picklist(mediaTypes)),
    }),
    endsAfterStart(),
  ),
  bRollsMax,
)

/** Of 2 MB, in base64: also with two bytes for each character, the body passes the gateway, and its refusal is ours. */
const pictureTextLengthMax = 4 * Math.ceil((2 * 1024 * 1024) / 3)

/** A PNG, JPEG or WebP file. */
export const setBRollPictureRequest = v.object({
  data: v.pipe(
    v.string(),
    v.maxLength(pictureTextLengthMax, 'must be a picture of at most 2 MB'),
    v.base64('must be base64'),
  ),
})

const known = presentationScene.entries

/** Any time: the domain clamps or drops scenes outside the video. */
const anyOffsetMs = v.pipe(v.number(), v.safeInteger('must be a whole number of milliseconds'))
const visual = v.object({
  type: boundedText(visualTypeLengthMax),
  items: v.optional(v.pipe(known.visual.entries.items, v.maxValue(1_000)), 0),
  anchors: v.optional(boundedList(boundedText(captionWordLengthMax), anchorsMax), []),
})

/** Drawings are nested a few levels deep. `JSON.parse` reads far deeper nesting than `JSON.stringify` can write. */
const nestingDepthMax = 32
/** An object of any shape, of bounded depth. */
export const freeformObject = v.exactOptional(
  plainObject(
    v.pipe(
      v.record(v.string(), v.unknown()),
      v.check(
        (value) => nestingDepth(value, nestingDepthMax) <= nestingDepthMax,
        `must be nested at most ${nestingDepthMax} levels deep`,
      ),
    ),
  ),
)

export const replacePresentationScenesRequest = timelineArray(
  v.object({
    id,
    startMs: anyOffsetMs,
    endMs: anyOffsetMs,
    text: v.exactOptional(spokenText),
    emphasis: v.exactOptional(promptText),
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
