/**
 * Director by a language model, which chooses the slide of each passage. The cut into passages is made by rules, so that
 * slides follow the words whatever the model returns.
 */
import { tones } from '../../domain/generation/scenes/presentation-scenes.ts'
import { seededChoice } from '../seeded-choice.ts'
import { ModelTooSlow, type TextModel } from '../text-model/index.ts'
import type { Beat } from './beat.ts'
import { beatsOf } from './beats.ts'
import { builtInDirector, entranceOf, textTemplates } from './built-in.ts'
import type { CutInput, CutScene, Director } from './index.ts'
import { type ModelSlide, slidesForm } from './output-schema.ts'
import { trimPunctuation, visualTypes } from './slide-content.ts'

/** Part of the id: increment when the task or the form changes. */
const versions = { bedrock: 1, openai: 1 }
/** For both requests; 85 % of it for the first one, since a re-cut is an API request of 25 seconds. */
const deadlineMs = 28_000
/** Passages per request: more would exceed the deadline. */
const batchSize = 15

const task = [
  'You design the slides of a presentation that runs behind a voice. "passages" is what is said while each slide is seen, in order; "slides" is which of all the slides they are; "mood" how it feels; "pictures" are pictures of its maker, each with its number. "take" only tells takes apart: another value wants another look.',
  'For every passage choose the template that shows best what is said, and fill in the fields of that template, in the language of the passages: heroTitle (a heading; the first slide of all), flowSteps (what follows one another), bulletList (what stands side by side), bigNumber (a figure), quote (a line worth reading), comparison (two sides), timeline (times), imageFull (a picture), callToAction (what to do; the last slide of all). Never the same template twice in a row, and no tone three times.',
  'A slide is shorter than what is said: key words, no whole sentences. Say nothing that the passage does not say.',
].join('\n')

export const modelDirector = (model: TextModel): Director => ({
  id: `${model.vendor}-${versions[model.vendor]}/${model.name}`,
  async cut(input) {
    const beats = beatsOf(input.words)
    const batches = Array.from({ length: Math.ceil(beats.length / batchSize) }, (_, index) =>
      beats.slice(index * batchSize, (index + 1) * batchSize),
    )
    const planned = await Promise.all(
      batches.map((batch, index) => {
        const before = index * batchSize
        return planSlides(model, batch, input, `${before + 1} to ${before + batch.length} of ${beats.length}`)
      }),
    )
    const choice = seededChoice(input.seed)
    const firstTone = tones.find((tone) => tone === input.tone)
    const slides = planned.flat()
    // For slides that are not valid. The built-in director cuts the same beats.
    const builtIn = slides.includes(null) ? await builtInDirector.cut(input) : []
    return slides.map((slide, index): CutScene => {
      const scene = slide ? sceneOf(beats[index]!, slide, picturesOf(input)) : builtIn[index]!
      const direction = { enter: entranceOf(index, choice), pace: input.mood === 'energetic' ? 'lively' : 'calm' }
      return { ...scene, ...(index === 0 && firstTone && { tone: firstTone }), direction }
    })
  },
})

const picturesOf = ({ assets }: CutInput) => assets.filter(({ type }) => type === 'image')

/** Null for slides that are not valid, and for all of them if the model is too slow. */
async function planSlides(
  model: TextModel,
  beats: Beat[],
  input: CutInput,
  slides: string,
): Promise<(ModelSlide | null)[]> {
  const passages = beats.map(({ text }) => text)
  const pictures = picturesOf(input)
  const request = {
    task,
    material: {
      passages,
      slides,
      mood: input.mood,
      pictures: pictures.map(({ description }, number) => ({ number, description })),
      take: input.seed,
    },
    form: slidesForm(passages, pictures.length),
    tokensMax: 500 + 250 * beats.length,
    temperature: 0.7,
    deadlineMs,
  }
  try {
    return (await model.request(request)).slides
  } catch (error) {
    if (error instanceof ModelTooSlow) return beats.map(() => null)
    throw error
  }
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

/** The fields of the slide's content, without those of the scene. */
function contentOf(slide: ModelSlide, pictures: CutInput['assets']): Record<string, unknown> {
  const { template: _template, tone: _tone, layout: _layout, emphasis: _emphasis, ...content } = slide
  if (!('prompt' in content)) return content
  const { picture, ...shown } = content
  return { ...shown, imageUrl: picture === undefined ? null : (pictures[picture]?.url ?? null) }
}

/** The items that appear one after the other. */
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

/**
 * The word with which an item appears: its first word that is unique in the passage, otherwise the first that occurs.
 */
function anchorOf(item: string, passage: string): string {
  const spoken = passage.toLowerCase().split(/\s+/).map(trimPunctuation)
  const words = item.split(/\s+/).map(trimPunctuation).filter(Boolean)
  const times = (word: string) => spoken.filter((one) => one === word.toLowerCase()).length
  return words.find((word) => times(word) === 1) ?? words.find((word) => times(word) > 0) ?? words[0] ?? ''
}
