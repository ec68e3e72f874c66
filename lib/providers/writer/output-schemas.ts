/** Forms of the model writer: the fields that the model reads, and the schemas that validate its output. */
import * as v from 'valibot'
import { freeTextLengthMax, scriptLengthMax } from '../../domain/records/brief.ts'
import type { ScriptBeat } from '../../domain/records/script.ts'
import { boundedLine, boundedText, toOneLine, validOrNull, withoutBlanks } from '../output-fields.ts'
import type { JsonSchema, OutputForm } from '../text-model/index.ts'

const titleLengthMax = 80
const promptLengthMax = 1_000
/** Things to show in one beat. */
const showMax = 4
const showLengthMax = 60

/** Text that cannot be spoken: headings, lists, emphasis, stage directions. */
const markup = /^[^\S\n\r\u2028\u2029]*(?:#+\s|[-*•]\s|\d+[.)]\s*$)|\*\*|__|`|[[\]<>{}]|https?:\/\//mu

const noMarkup = v.check(
  (given: string) => !markup.test(given),
  'must be plain spoken sentences without markup, lists or directions',
)

/** Things to show: strings of a list, or one string with commas. */
const shownNames = v.pipe(
  v.unknown(),
  v.transform((given): string[] => {
    const names: unknown[] = typeof given === 'string' ? given.split(',') : Array.isArray(given) ? given : []
    const lines = names.filter((name) => typeof name === 'string').map(toOneLine)
    return lines.filter((name) => name && name.length <= showLengthMax).slice(0, showMax)
  }),
)

export interface ModelScript {
  title?: string | undefined
  beats: ScriptBeat[]
}

const beat = v.pipe(
  v.object({
    narration: v.pipe(v.string(), noMarkup, v.transform(toOneLine)),
    show: v.optional(shownNames, []),
    emphasis: v.optional(shownNames, []),
  }),
  v.transform(({ narration: text, show, emphasis }): ScriptBeat => {
    // Words that are not spoken here cannot be stressed.
    const spoken = text.toLowerCase()
    return { text, show, emphasis: emphasis.filter((word) => spoken.includes(word.toLowerCase())).slice(0, 3) }
  }),
)

/** The text of beats. Chinese, Japanese and Thai put no space between sentences. */
export const joinedText = (beats: readonly ScriptBeat[], language: string): string =>
  beats.map(({ text }) => text).join(/^(?:zh|ja|th)\b/.test(language) ? '' : ' ')

const beats = v.pipe(
  v.array(beat),
  v.transform((given) => given.filter(({ text }) => text !== '')),
  v.minLength(1, 'must not be empty'),
  v.check((given) => given.some(({ text }) => /\p{L}/u.test(text)), 'must hold words'),
  v.check((given) => given.every(({ text }) => text.isWellFormed()), 'must be well-formed text'),
  v.check(
    (given) => given.reduce((sum, { text }) => sum + text.length + 1, 0) <= scriptLengthMax,
    `must be at most ${scriptLengthMax} characters long together`,
  ),
)
/** Models put titles into quotes. */
const withoutQuotes = (text: string) => text.replace(/^\s*["“„«](.*)["”“»]\s*$/su, '$1')
const title = v.optional(v.pipe(v.string(), v.transform(withoutQuotes), boundedLine(titleLengthMax)))

/** What can be spoken of a text with markup: without list marks, headings, directions and addresses. */
const withoutMarkup = (text: string) =>
  text
    .replace(/\[[^[\]]*\]|<[^<>]*>|https?:\/\/\S+/gu, ' ')
    .replace(/^[^\S\n\r\u2028\u2029]*(?:#+\s|[-*•]\s|\d+[.)]\s)/gmu, '')
    .replace(/\*\*|__|`|[[\]<>{}]/gu, '')

/** A form of which only the words are usable: one text instead of beats, markup, a title that is too long. */
const salvagedScript = v.pipe(
  v.looseObject({}),
  v.transform(({ title, beats, narration, script, text }) => ({
    title: typeof title === 'string' && title.trim() ? toOneLine(title).slice(0, titleLengthMax).trim() : undefined,
    beats: Array.isArray(beats) ? beats.map(cleanBeat) : [cleanBeat([narration, script, text].find(isText))],
  })),
  v.object({ title, beats }),
)

const isText = (given: unknown) => typeof given === 'string'
function cleanBeat(given: unknown): object {
  const fields = typeof given === 'object' && given !== null ? { ...given } : { narration: given }
  const narration = Object.entries(fields).find(
    ([name, value]) => /^(?:narration|text)$/.test(name) && isText(value),
  )?.[1]
  return { ...fields, narration: isText(narration) ? withoutMarkup(String(narration)) : '' }
}

const names = (description: string): JsonSchema => ({ type: 'array', description, items: { type: 'string' } })

/** The form without its review, which depends on the input. */
export const scriptForm = {
  name: 'deliver_script',
  description: 'Delivers the finished script of the video.',
  fields: {
    title: { type: 'string', description: `At most ${titleLengthMax} characters, no quotes.` },
    beats: {
      type: 'array',
      description: 'The script in order, one or two sentences a beat.',
      items: {
        type: 'object',
        properties: {
          narration: { type: 'string', description: 'What is spoken, word for word.' },
          show: names('English nouns: 1 to 3 things to be seen, the main one first, then the place.'),
          emphasis: names('Up to 3 words of the narration to stress.'),
        },
        required: ['narration', 'show', 'emphasis'],
      },
    },
  },
  schema: v.pipe(withoutBlanks, v.object({ title, beats })),
  salvage: salvagedScript,
} satisfies OutputForm<v.GenericSchema<unknown, ModelScript>>

export const captionForm = {
  name: 'deliver_caption',
  description: 'Delivers the finished caption of the post.',
  fields: {
    caption: {
      type: 'string',
      description: `The whole caption with its hashtags, at most ${freeTextLengthMax} characters.`,
    },
  },
  schema: v.object({
    caption: v.pipe(
      v.string(),
      v.trim(),
      boundedText(freeTextLengthMax),
      // Storage and platforms count UTF-16.
      v.maxLength(freeTextLengthMax, `must be at most ${freeTextLengthMax} characters long`),
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
