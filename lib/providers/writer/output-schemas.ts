/** Forms of the model writer: the fields that the model reads, and the schemas that validate its output. */
import * as v from 'valibot'
import { boundedLine, boundedText, toOneLine, validOrNull, withoutBlanks } from '../output-fields.ts'
import type { OutputForm } from '../text-model/index.ts'

const titleLengthMax = 80
const captionLengthMax = 2_000
/** Ten minutes of speech in any language, which is the limit of the record. */
const scriptLengthMax = 12_000
const promptLengthMax = 1_000

/** Text that cannot be spoken: headings, lists, emphasis, stage directions. */
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

const sceneSchema = v.object({
  imagePrompt: boundedLine(promptLengthMax),
  animationPrompt: boundedLine(promptLengthMax),
})

/** Null where the model's scene is not valid. */
interface ScenesOutput {
  scenes: (v.InferOutput<typeof sceneSchema> | null)[]
}

/** `count` is the number of narrations. */
export const scenePromptsForm = (count: number): OutputForm<v.GenericSchema<unknown, ScenesOutput>> => ({
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
    scenes: v.pipe(v.array(sceneSchema), v.length(count, `must hold exactly ${count} scenes`)),
  }),
  salvage: v.object({ scenes: validOrNull(Array<typeof sceneSchema>(count).fill(sceneSchema)) }),
})
