/** Form of the model director: one slide per passage, with the fields of its template. */

import * as v from 'valibot'
import { templates, tones } from '../../domain/generation/scenes/presentation-scenes.ts'
import { freeTextLengthMax } from '../../domain/records/brief.ts'
import { boundedLine, validOrNull, withoutBlanks } from '../output-fields.ts'
import type { JsonSchema, OutputForm } from '../text-model/index.ts'
import { layouts } from './built-in.ts'

const words = (description: string): JsonSchema => ({ type: 'string', description })
const list = (description: string): JsonSchema => ({ type: 'array', description, items: { type: 'string' } })

const slideFields: JsonSchema = {
  type: 'object',
  properties: {
    template: { type: 'string', enum: [...templates] },
    tone: { type: 'string', enum: [...tones] },
    layout: { type: 'string', enum: [...layouts] },
    emphasis: words('One to four words that stand in the passage exactly so.'),
    title: words('heroTitle: the heading, at most 80 characters. bulletList and timeline: a heading, if any.'),
    subtitle: words('heroTitle: a second line, if any.'),
    points: list('bulletList: 2 to 5 points of at most 70 characters.'),
    steps: list('flowSteps: 2 to 5 steps of at most 70 characters.'),
    events: list('timeline: 2 to 5 events of at most 70 characters, each beginning with its time.'),
    value: words('bigNumber: the figure as it is said, with its unit, at most 24 characters.'),
    label: words('bigNumber: what it counts.'),
    quote: words('quote: what is quoted, word for word.'),
    left: words('comparison: the one side.'),
    right: words('comparison: the other side.'),
    caption: words('imageFull: a few words at the foot of the picture.'),
    prompt: words('imageFull: in English, what the picture shows.'),
    picture: { type: 'number', description: 'imageFull: the number of a given picture that fits, if any does.' },
    line: words('callToAction: what the viewer is asked.'),
    button: words('callToAction: two to four words to press.'),
  },
  required: ['template', 'tone', 'emphasis'],
}

const headingMax = 80
const sentenceMax = 160
const items = v.pipe(
  v.array(boundedLine(70)),
  v.minLength(2, 'must hold 2 or more'),
  v.maxLength(5, 'must hold 5 or fewer'),
)

/** A slide may only show figures of its passage. */
const figureOf = (passage: string) =>
  v.check(
    (value: string) => (value.match(/\d+/g) ?? []).every((digits) => passage.includes(digits)),
    'must be a figure of the passage, as it stands there',
  )

/** The words as written in the passage; empty where they do not occur, since emphasis is optional. */
const quoteFrom = (passage: string) => (words: string) => {
  const wanted = words.trim().toLowerCase()
  const at = passage.toLowerCase().indexOf(wanted)
  return at < 0 || wanted.length > freeTextLengthMax ? '' : passage.slice(at, at + wanted.length)
}

function slideOf(passage: string, picturesCount: number) {
  const common = {
    tone: v.picklist(tones),
    layout: v.fallback(v.optional(v.picklist(layouts), 'center'), 'center'),
    emphasis: v.pipe(v.fallback(v.optional(v.string(), ''), ''), v.transform(quoteFrom(passage))),
  }
  const picture = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(picturesCount - 1, 'names no picture'))
  const template = <const Name extends string>(name: Name) => ({ template: v.literal(name), ...common })
  const slide = v.variant('template', [
    v.object({
      ...template('heroTitle'),
      title: boundedLine(headingMax),
      subtitle: v.optional(boundedLine(sentenceMax)),
    }),
    v.object({ ...template('flowSteps'), steps: items }),
    v.object({ ...template('bulletList'), title: v.optional(boundedLine(headingMax)), points: items }),
    v.object({
      ...template('bigNumber'),
      value: v.pipe(boundedLine(24), figureOf(passage)),
      label: boundedLine(headingMax),
    }),
    v.object({ ...template('quote'), quote: boundedLine(sentenceMax) }),
    v.object({ ...template('comparison'), left: boundedLine(headingMax), right: boundedLine(headingMax) }),
    v.object({ ...template('timeline'), title: v.optional(boundedLine(headingMax)), events: items }),
    v.object({
      ...template('imageFull'),
      caption: boundedLine(headingMax),
      prompt: boundedLine(500),
      picture: v.optional(picture),
    }),
    v.object({ ...template('callToAction'), line: boundedLine(sentenceMax), button: v.optional(boundedLine(40), '') }),
  ])
  return v.pipe(withoutBlanks, slide)
}
export type ModelSlide = v.InferOutput<ReturnType<typeof slideOf>>

/** Null where the model's slide is not valid. */
interface SlidesOutput {
  slides: (ModelSlide | null)[]
}

/** `picturesCount` is the number of the client's pictures. */
export function slidesForm(
  passages: readonly string[],
  picturesCount: number,
): OutputForm<v.GenericSchema<unknown, SlidesOutput>> {
  const slides = passages.map((passage) => slideOf(passage, picturesCount))
  return {
    name: 'deliver_slides',
    description: 'Delivers the slides of the presentation.',
    fields: {
      slides: {
        type: 'array',
        description: `Exactly ${passages.length}, one for each passage in its order.`,
        items: slideFields,
      },
    },
    schema: v.object({ slides: v.strictTuple(slides) }),
    salvage: v.object({ slides: validOrNull(slides) }),
  }
}
