/** Built-in director: cuts by rules, deterministically. Needs no key and no network. */
import { extractKeywords } from '../../domain/generation/keywords.ts'
import type { Template } from '../../domain/generation/scenes/presentation-scenes.ts'
import { tones } from '../../domain/generation/scenes/presentation-scenes.ts'
import type { Brief } from '../../domain/records/brief.ts'
import type { SeededChoice } from '../seeded-choice.ts'
import { seededChoice } from '../seeded-choice.ts'
import type { Beat } from './beat.ts'
import { beatsOf } from './beats.ts'
import type { CutScene, Director } from './index.ts'
import { phrasePatterns } from './phrase-patterns.ts'
import { planSlide, stepsCountedAfter } from './slide-content.ts'
import { templatesFor, tonesFor } from './templates.ts'

export const layouts = ['center', 'left', 'lowerThird'] as const
const entrances = ['fade', 'slide', 'push', 'zoom'] as const
/** Templates that show the whole text, so that captions are hidden. */
export const textTemplates: readonly Template[] = [
  'heroTitle',
  'quote',
  'callToAction',
  'flowSteps',
  'bulletList',
  'timeline',
]

export const builtInDirector: Director = {
  id: 'built-in-4',
  async cut({ words, mood, tone, assets, seed }) {
    const choice = seededChoice(seed)
    const beats = beatsOf(words)
    const templates = templatesFor(beats, choice)
    const chosenTones = tonesFor(
      templates,
      tones.find((known) => known === tone),
      choice,
    )
    const pictures = picturesFor(beats, templates, assets)
    let stepsCounted = 0
    return beats.map(({ startMs, endMs, ...beat }, index): CutScene => {
      const template = templates[index]!
      const slide = planSlide(template, { startMs, endMs, ...beat }, pictures.get(index))
      const isList = template === 'flowSteps'
      // The count continues over slides with steps, and starts anew at the first one.
      const from = phrasePatterns.firstStep.test(beat.text) ? 1 : stepsCounted + 1
      stepsCounted = isList || stepsCounted > 0 ? stepsCountedAfter(beat.text, stepsCounted) : 0
      return {
        startMs,
        endMs,
        text: beat.text,
        template,
        tone: chosenTones[index]!,
        caption: textTemplates.includes(template) ? 'hide' : 'show',
        hidden: false,
        ...slide,
        // Continues the numbering of the steps on previous slides.
        ...(template === 'flowSteps' && from > 1 && { content: { ...slide.content, from } }),
        params: { layout: choice.pick(layouts) },
        direction: { enter: entranceOf(index, choice), pace: mood === 'energetic' ? 'lively' : 'calm' },
        composed: {},
      }
    })
  },
}

/** The first scene fades in: there is no previous one to move from. */
export const entranceOf = (index: number, choice: SeededChoice) => (index === 0 ? 'fade' : choice.pick(entrances))

/** Assigns each `imageFull` scene the client's image that shares most keywords with it, each image once. */
function picturesFor(beats: readonly Beat[], templates: readonly Template[], assets: Brief['presentationAssets']) {
  const remaining = assets.filter(({ type }) => type === 'image')
  const pictures = new Map<number, Brief['presentationAssets'][number]>()
  for (const [index, { text }] of beats.entries()) {
    if (templates[index] !== 'imageFull' || remaining.length === 0) continue
    const keywords = new Set(extractKeywords(text, 20))
    const shared = remaining.map(
      ({ description }) => extractKeywords(description, 20).filter((word) => keywords.has(word)).length,
    )
    const [picture] = remaining.splice(shared.indexOf(Math.max(...shared)), 1)
    pictures.set(index, picture!)
  }
  return pictures
}
