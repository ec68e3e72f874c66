/** A model that writes: what the built-in makers would, in the forms that a vendor's model is given. */
import { extractKeywords } from '../../../lib/domain/generation/keywords.ts'
import { builtInWriter } from '../../../lib/providers/writer/built-in.ts'
import type { FakeModel } from './converse.ts'

const text = (value: unknown) => (typeof value === 'string' ? value : null)

export const fakeNova: FakeModel = async (form, material) => {
  switch (form) {
    case 'deliver_script':
      return builtInWriter.write({
        prompt: text(material.idea) ?? '',
        scriptPrompt: text(material.briefing),
        language: 'en',
        durationSecondsMax: 60,
        mood: text(material.mood),
        variation: text(material.take),
      })
    case 'deliver_caption': {
      const { title, said, wishes } = material
      const wish = { title: text(title) ?? '', text: text(said) ?? '', prompt: text(wishes), language: 'en' }
      return { caption: await builtInWriter.describe(wish) }
    }
    case 'deliver_scenes': {
      const narrations = material.narrations as string[]
      return {
        scenes: narrations.map((narration) => ({
          imagePrompt: `${extractKeywords(narration, 4).join(', ') || 'a quiet room'}, soft light, wide shot`,
          animationPrompt: 'The camera moves slowly forward.',
        })),
      }
    }
    case 'deliver_slides':
      return { slides: (material.passages as string[]).map(slide) }
    default:
      throw new Error(`The model knows no form ${form}.`)
  }
}

const two = ['One', 'Two']
/** Every template in its turn. */
const contents = [
  { template: 'heroTitle', title: 'A heading' },
  { template: 'flowSteps', steps: two },
  { template: 'bulletList', points: two },
  { template: 'bigNumber', value: 'Twenty percent', label: 'of it all' },
  { template: 'quote', quote: 'So it is' },
  { template: 'comparison', left: 'Before', right: 'After' },
  { template: 'timeline', title: 'How it went', events: two },
  { template: 'imageFull', caption: 'A picture', prompt: 'A quiet harbour' },
  { template: 'callToAction', line: 'Try it', button: 'Begin' },
]

const slide = (passage: string, index: number) => ({
  ...contents[index % contents.length],
  tone: ['light', 'dark', 'accent'][index % 3],
  layout: 'left',
  emphasis: passage.split(' ')[0],
})
