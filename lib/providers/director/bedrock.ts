/**
 * A director that asks a model of Bedrock what each passage is shown as. Where the passages begin and end is cut by rules, so that slides
 * follow the words whatever the model answers.
 */
import { tones } from '../../domain/generation/scenes/presentation-scenes.ts'
import { seededChoice } from '../seeded-choice.ts'
import { type BedrockModel, requestStructuredOutput } from '../structured-output.ts'
import { type Beat, beatsOf } from './beats.ts'
import { builtInDirector, entranceOf, textTemplates } from './built-in.ts'
import type { CutInput, CutScene, Director } from './index.ts'
import { type ModelSlide, slidesForm } from './output-schema.ts'
import { trimPunctuation, visualTypes } from './slide-content.ts'

/** Part of the id: counts up when the task or the form changes. */
const version = 1
/** A re-cut answers a request of 25 seconds, and a state ends after one minute. */
const deadlineMs = 22_000
/** Passages of one answer: more take the model longer than that. */
const portion = 15

const task = [
  'You design the slides of a presentation that runs behind a voice. "passages" is what is said while each slide is seen, in order; "slides" is which of all the slides they are; "mood" how it feels; "pictures" are pictures of its maker, each with its number. "take" only tells takes apart: another value wants another look.',
  'For every passage choose the template that shows best what is said, and fill in the fields of that template, in the language of the passages: heroTitle (a heading; the first slide of all), flowSteps (what follows one another), bulletList (what stands side by side), bigNumber (a figure), quote (a line worth reading), comparison (two sides), timeline (times), imageFull (a picture), callToAction (what to do; the last slide of all). Never the same template twice in a row, and no tone three times.',
  'A slide is shorter than what is said: key words, no whole sentences. Say nothing that the passage does not say.',
].join('\n')

export const bedrockDirector = (model: BedrockModel): Director => ({
  id: `bedrock-${version}/${model.modelId}`,
  async cut(wish) {
    const beats = beatsOf(wish.words)
    const parts = Array.from({ length: Math.ceil(beats.length / portion) }, (_, index) =>
      beats.slice(index * portion, (index + 1) * portion),
    )
    const planned = await Promise.all(
      parts.map((part, index) => {
        const before = index * portion
        return plan(model, part, wish, `${before + 1} to ${before + part.length} of ${beats.length}`)
      }),
    )
    const choice = seededChoice(wish.seed)
    const wished = tones.find((tone) => tone === wish.tone)
    const slides = planned.flat()
    // It cuts the same beats.
    const spare = slides.includes(null) ? await builtInDirector.cut(wish) : []
    return slides.map((slide, index): CutScene => {
      const scene = slide ? sceneOf(beats[index]!, slide, picturesOf(wish)) : spare[index]!
      const direction = { enter: entranceOf(index, choice), pace: wish.mood === 'energetic' ? 'lively' : 'calm' }
      return { ...scene, ...(index === 0 && wished && { tone: wished }), direction }
    })
  },
})

const picturesOf = ({ assets }: CutInput) => assets.filter(({ type }) => type === 'image')

async function plan(model: BedrockModel, beats: Beat[], wish: CutInput, slides: string) {
  const passages = beats.map(({ text }) => text)
  const pictures = picturesOf(wish)
  const answer = await requestStructuredOutput({
    ...model,
    task,
    material: {
      passages,
      slides,
      mood: wish.mood,
      pictures: pictures.map(({ description }, number) => ({ number, description })),
      take: wish.seed,
    },
    form: slidesForm(passages, pictures.length),
    tokensMax: 500 + 250 * beats.length,
    temperature: 0.7,
    deadlineMs,
  })
  return answer.slides
}

function sceneOf({ startMs, endMs, text }: Beat, slide: ModelSlide, pictures: CutInput['assets']): CutScene {
  const { template, tone, layout, emphasis } = slide
  const items = itemsOf(slide)
  return {
    startMs,
    endMs,
    text,
    template,
    tone,
    emphasis,
    caption: textTemplates.includes(template) ? 'hide' : 'show',
    hidden: false,
    visual: { type: visualTypes[template], items: items.length, anchors: items.map((item) => anchorOf(item, text)) },
    content: contentOf(slide, pictures),
    params: { layout },
    direction: {},
    composed: {},
  }
}

/** What stands on the slide: all of its form but what belongs to the scene itself. */
function contentOf(slide: ModelSlide, pictures: CutInput['assets']): Record<string, unknown> {
  const { template: _template, tone: _tone, layout: _layout, emphasis: _emphasis, ...content } = slide
  if (!('prompt' in content)) return content
  const { picture, ...shown } = content
  return { ...shown, imageUrl: picture === undefined ? null : (pictures[picture]?.url ?? null) }
}

/** What appears one after the other. */
function itemsOf(slide: ModelSlide): string[] {
  switch (slide.template) {
    case 'flowSteps':
      return slide.steps
    case 'bulletList':
      return slide.points
    case 'timeline':
      return slide.events
    case 'comparison':
      return [slide.left, slide.right]
    case 'bigNumber':
      return [slide.value]
    default:
      return []
  }
}

/** The word with which an item appears: its first one that is said. */
function anchorOf(item: string, passage: string): string {
  const said = passage.toLowerCase().split(/\s+/).map(trimPunctuation)
  const own = item.split(/\s+/).map(trimPunctuation).filter(Boolean)
  const times = (word: string) => said.filter((one) => one === word.toLowerCase()).length
  return own.find((word) => times(word) === 1) ?? own.find((word) => times(word) > 0) ?? own[0] ?? ''
}
