/** Chooses templates and tones: scored by how well a template fits the text, with a penalty for repetition. */
import type { Template, Tone } from '../../domain/generation/scenes/presentation-scenes.ts'
import { templates } from '../../domain/generation/scenes/presentation-scenes.ts'
import type { SeededChoice } from '../seeded-choice.ts'
import type { Beat } from './beat.ts'
import { phrasePatterns } from './phrase-patterns.ts'
import {
  contrastSides,
  datedEvents,
  enumeratedItems,
  enumeratedParts,
  figureIn,
  hasAmount,
  hasSteps,
  quotationIn,
  stepsOf,
} from './slide-content.ts'

/** How well each template fits a beat; 0 excludes it. Templates that fit any text score low. */
const fitScores: Record<Template, (beat: Beat) => number> = {
  heroTitle: ({ words }) => (words.length <= 8 ? 0.4 : 0.2),
  imageFull: () => 0.35,
  // More than any figure: a figure inside a quotation belongs to it.
  quote: ({ text, words }) =>
    quotationIn(text) ? 2 : phrasePatterns.quote.test(text) ? 0.9 : words.length <= 14 ? 0.25 : 0,
  bulletList: ({ text }) => (enumeratedItems(text).length >= 3 ? 0.75 : 0),
  flowSteps: ({ text }) => (hasSteps(text) && stepsOf(text).length >= 2 ? 1.2 : 0),
  bigNumber: ({ text }) => (hasAmount(figureIn(text)) ? 1.3 : figureIn(text) ? 0.85 : 0),
  comparison: ({ text }) => (contrastSides(text) ? 0.7 : 0),
  timeline: ({ text }) =>
    datedEvents(text).length >= 2 ? 1.8 : phrasePatterns.time.test(text) && enumeratedParts(text).length >= 2 ? 0.9 : 0,
  callToAction: ({ text }) => (phrasePatterns.call.test(text.replace(phrasePatterns.step, '')) ? 0.3 : 0),
}

/** A presentation opens with its title and ends with a call to action. */
export function templatesFor(beats: readonly Beat[], choice: SeededChoice): Template[] {
  const chosen: Template[] = []
  beats.forEach((beat, index) => {
    if (index === 0) chosen.push(opensWithFigure(beat) ? 'bigNumber' : 'heroTitle')
    else if (index === beats.length - 1) chosen.push('callToAction')
    else chosen.push(bestOf(beat, chosen, choice))
  })
  return chosen
}

/** A short opening around an amount: as a title it would be cut to "Billion". */
const opensWithFigure = ({ text, words }: Beat) => words.length <= 6 && hasAmount(figureIn(text)) && !quotationIn(text)

function bestOf(beat: Beat, chosen: readonly Template[], choice: SeededChoice): Template {
  const scores = templates
    .filter((template) => template !== chosen.at(-1))
    .map((template) => {
      const fit = fitScores[template](beat)
      const repetition = template === chosen.at(-2) ? 0.2 : 0
      return { template, score: fit === 0 ? -1 : fit - repetition + choice.pick([0, 0.1, 0.2, 0.3]) }
    })
  return scores.reduce((best, other) => (other.score > best.score ? other : best)).template
}

const loud: readonly Template[] = ['bigNumber', 'callToAction']

/**
 * Mostly the requested tone; another one periodically and for loud templates; never the same tone three times in a row.
 */
export function tonesFor(chosen: readonly Template[], requested: Tone | undefined, choice: SeededChoice): Tone[] {
  const base = requested ?? choice.pick(['light', 'dark'] as const)
  const other = base === 'dark' ? 'light' : 'dark'
  const tones: Tone[] = []
  chosen.forEach((template, index) => {
    const tone = loud.includes(template) ? 'accent' : index % 4 === 2 ? other : base
    const isThird = tones.at(-1) === tone && tones.at(-2) === tone
    tones.push(isThird ? (tone === other ? base : other) : tone)
  })
  return tones
}
