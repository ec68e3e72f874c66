/**
 * The bundled knowledge: topics with facts, in English, one JSON file per category in `assets/knowledge`. Loaded on
 * first use, so that functions that write no script start without it.
 */
import type { Findings } from './index.ts'

export interface Topic {
  id: string
  title: string
  kind: Findings['kind']
  /** Lower-case phrases that people use for this subject. */
  names: string[]
  hooks: string[]
  facts: { text: string; show: string[]; source: number }[]
  turn: number
  closes: string[]
  sources: { title: string; url: string }[]
}

/** A file as TypeScript infers it. */
interface Category {
  topics: (Omit<Topic, 'kind'> & { kind: string })[]
}

let loaded: Promise<readonly Topic[]> | undefined

export function loadTopics(): Promise<readonly Topic[]> {
  loaded ??= Promise.all(categories()).then((files) =>
    files.flatMap(({ default: category }) => category.topics.map(asTopic)),
  )
  return loaded
}

const asTopic = (topic: Category['topics'][number]): Topic => ({
  ...topic,
  kind: topic.kind === 'advice' ? 'advice' : 'explanation',
})

const categories = (): Promise<{ default: Category }>[] => [
  import('../../../assets/knowledge/animals.json', { with: { type: 'json' } }),
  import('../../../assets/knowledge/culture.json', { with: { type: 'json' } }),
  import('../../../assets/knowledge/food.json', { with: { type: 'json' } }),
  import('../../../assets/knowledge/health.json', { with: { type: 'json' } }),
  import('../../../assets/knowledge/history.json', { with: { type: 'json' } }),
  import('../../../assets/knowledge/language.json', { with: { type: 'json' } }),
  import('../../../assets/knowledge/money.json', { with: { type: 'json' } }),
  import('../../../assets/knowledge/nature.json', { with: { type: 'json' } }),
  import('../../../assets/knowledge/places.json', { with: { type: 'json' } }),
  import('../../../assets/knowledge/productivity.json', { with: { type: 'json' } }),
  import('../../../assets/knowledge/psychology.json', { with: { type: 'json' } }),
  import('../../../assets/knowledge/science.json', { with: { type: 'json' } }),
  import('../../../assets/knowledge/space.json', { with: { type: 'json' } }),
  import('../../../assets/knowledge/technology.json', { with: { type: 'json' } }),
]
