/** A model that writes: what the built-in makers would, in the forms that a vendor's model is given. */
import { extractKeywords } from '../../../lib/domain/generation/keywords.ts'
import { builtInWriter } from '../../../lib/providers/writer/built-in.ts'
import type { FakeModel } from './converse.ts'

const text = (value: unknown) => (typeof value === 'string' ? value : null)

export const fakeNova: FakeModel = async (form, material, task) => {
  switch (form) {
    case 'deliver_script':
      return script(text(material.idea) ?? '', text(material.take), wordsAimedAt(task), factsIn(material.facts))
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

/** The length that the task asks for; that of a short script where it asks for none. */
const wordsAimedAt = (task: string) => Number(/^About (\d+) words/m.exec(task)?.[1] ?? 40)

const places = ['Oslo', 'Lima', 'Cairo', 'Kyoto', 'Quebec', 'Nairobi']

const factsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((fact) => typeof fact === 'string') : []

/** A script of concrete sentences about the idea, another one for each take: the given facts, if there are any. */
async function script(idea: string, take: string | null, words: number, facts: readonly string[]) {
  const subject = extractKeywords(idea.split('.')[0]!, 2).join(' and ') || 'it'
  const first = take === null ? 0 : 1 + (take.length % 5)
  const sentences = [`Most people in ${places[first]} get ${subject} wrong.`]
  for (let at = 1; countOf(sentences) < words - 12 && (facts.length === 0 || at <= facts.length); at++)
    sentences.push(
      facts[at - 1] ??
        `In ${places[(first + at) % places.length]}, ${12 * at} of 100 people change ${subject} in ${at + 1} steps.`,
    )
  const { title } = await builtInWriter.write({
    prompt: idea,
    scriptPrompt: null,
    language: 'en',
    durationSecondsMax: 60,
    mood: null,
    variation: null,
  })
  const beats = [...sentences, `Which step of ${subject} would you try tonight?`]
  return {
    title,
    beats: beats.map((narration) => ({ narration, show: ['street', 'clock'], emphasis: [subject.split(' ')[0]!] })),
  }
}

const countOf = (sentences: readonly string[]) => sentences.join(' ').split(' ').length
