/** The forms that a model fills in as a writer: what it reads of them, and what is held of it. */
import * as v from 'valibot'
import { boundedLine, boundedText, toOneLine, validOrNull, withoutBlanks } from '../output-fields.ts'
import type { OutputForm } from '../structured-output.ts'

const titleLengthMax = 80
const captionLengthMax = 2_000
/** Ten minutes of speech, in any language; the record has no room for more. */
const scriptLengthMax = 12_000
const promptLengthMax = 1_000

/** What nobody speaks: headings, lists, emphasis, stage directions. */
const markup = /^\s*(?:#+\s|[-*•]\s|\d+[.)]\s*$)|\*\*|__|`|[[\]<>{}]|https?:\/\//mu

export const scriptForm = {
  name: 'deliver_script',
  description: 'Delivers the finished script of the video.',
  fields: {
    title: { type: 'string', description: `The title of the video, at most ${titleLengthMax} characters, no quotes.` },
    text: { type: 'string', description: 'What the narrator speaks, word for word, as one plain paragraph.' },
  },
  schema: v.pipe(
    withoutBlanks,
    v.object({
      title: v.optional(boundedLine(titleLengthMax)),
      text: v.pipe(
        v.string(),
        v.check((given) => !markup.test(given), 'must be plain spoken sentences without markup, lists or directions'),
        v.transform(toOneLine),
        boundedText(scriptLengthMax),
        v.check((given) => /\p{L}/u.test(given), 'must hold words'),
      ),
    }),
  ),
} satisfies OutputForm<v.GenericSchema>

export const captionForm = {
  name: 'deliver_caption',
  description: 'Delivers the finished caption of the post.',
  fields: {
    caption: {
      type: 'string',
      description: `The whole caption with its hashtags, at most ${captionLengthMax} characters.`,
    },
  },
  schema: v.object({
    caption: v.pipe(
      v.string(),
      v.trim(),
      boundedText(captionLengthMax),
      // Storage and platforms count UTF-16.
      v.maxLength(captionLengthMax, `must be at most ${captionLengthMax} characters long`),
    ),
  }),
} satisfies OutputForm<v.GenericSchema>

const stagedScene = v.object({
  imagePrompt: boundedLine(promptLengthMax),
  animationPrompt: boundedLine(promptLengthMax),
})

/** Null where the model's scene cannot be used. */
interface Staging {
  scenes: (v.InferOutput<typeof stagedScene> | null)[]
}

/** For so many narrations. */
export const scenePromptsForm = (count: number): OutputForm<v.GenericSchema<unknown, Staging>> => ({
  name: 'deliver_scenes',
  description: 'Delivers what is seen in each scene.',
  fields: {
    scenes: {
      type: 'array',
      description: `Exactly ${count}, one for each narration in its order.`,
      items: {
        type: 'object',
        properties: {
          imagePrompt: { type: 'string', description: 'The picture.' },
          animationPrompt: { type: 'string', description: 'How the picture moves.' },
        },
        required: ['imagePrompt', 'animationPrompt'],
      },
    },
  },
  schema: v.object({
    scenes: v.pipe(v.array(stagedScene), v.length(count, `must hold exactly ${count} scenes`)),
  }),
  salvage: v.object({ scenes: validOrNull(Array<typeof stagedScene>(count).fill(stagedScene)) }),
})
