/** Chooses how a beat is shown: what is said makes a template fit, and what was shown just before makes it dull. */
import type { Template, Tone } from '../../domain/generation/scenes/presentation-scenes.ts'
import { templates } from '../../domain/generation/scenes/presentation-scenes.ts'
import type { SeededChoice } from '../seeded-choice.ts'
import type { Beat } from './beats.ts'
import { phrasePatterns } from './phrase-patterns.ts'
import { contrastSides, enumeratedItems, enumeratedParts, figureIn, hasSteps, stepsOf } from './slide-content.ts'

/** How well each template shows what a beat says, 0 to 1; those that fit anything have little to say about it. */
const fitScores: Record<Template, (beat: Beat) => number> = {
  heroTitle: ({ words }) => (words.length <= 8 ? 0.4 : 0.2),
  imageFull: () => 0.35,
  quote: ({ text, words }) => (phrasePatterns.quote.test(text) ? 0.9 : words.length <= 14 ? 0.25 : 0),
  bulletList: ({ text }) => (enumeratedItems(text).length >= 3 ? 0.75 : 0),
  flowSteps: ({ text }) => (hasSteps(text) && stepsOf(text).length >= 2 ? 1.2 : 0),
  bigNumber: ({ text }) => (figureIn(text) ? 0.85 : 0),
  comparison: ({ text }) => (contrastSides(text) ? 0.7 : 0),
  timeline: ({ text }) => (phrasePatterns.time.test(text) && enumeratedParts(text).length >= 2 ? 0.9 : 0),
  callToAction: ({ text }) => (phrasePatterns.call.test(text.replace(phrasePatterns.step, '')) ? 0.3 : 0),
}

/** A film opens with its title and ends with what the viewer should do. */
export function templatesFor(beats: readonly Beat[], choice: SeededChoice): Template[] {
  const chosen: Template[] = []
  beats.forEach((beat, index) => {
    if (index === 0) chosen.push('heroTitle')
    else if (index === beats.length - 1) chosen.push('callToAction')
    else chosen.push(bestOf(beat, chosen, choice))
  })
  return chosen
}

function bestOf(beat: Beat, chosen: readonly Template[], choice: SeededChoice): Template {
  const scores = templates
    .filter((template) => template !== chosen.at(-1))
    .map((template) => {
      const fit = fitScores[template](beat)
      const dull = template === chosen.at(-2) ? 0.2 : 0
      return { template, score: fit === 0 ? -1 : fit - dull + choice.pick([0, 0.1, 0.2, 0.3]) }
    })
  return scores.reduce((best, other) => (other.score > best.score ? other : best)).template
}

const loud: readonly Template[] = ['bigNumber', 'callToAction']

/** The wished tone most of the time, another one now and then and where something is shouted; never the same three times. */
export function tonesFor(chosen: readonly Template[], wished: Tone | undefined, choice: SeededChoice): Tone[] {
  const base = wished ?? choice.pick(['light', 'dark'] as const)
  const other = base === 'dark' ? 'light' : 'dark'
  const tones: Tone[] = []
  chosen.forEach((template, index) => {
    const meant = loud.includes(template) ? 'accent' : index % 4 === 2 ? other : base
    const tired = tones.at(-1) === meant && tones.at(-2) === meant
    tones.push(tired ? (meant === other ? base : other) : meant)
  })
  return tones
}
