/** Built-in research: the bundled knowledge. English only; needs no key and no network. */
import type { Fact, Findings, Research } from './index.ts'
import { loadTopics, type Topic } from './knowledge.ts'
import { contentStems, indexTopics, matchTopic } from './match-topic.ts'

let index: Promise<ReturnType<typeof indexTopics>> | undefined
const indexed = () => {
  index ??= loadTopics().then(indexTopics)
  return index
}

export const builtInResearch: Research = {
  // Increment when the knowledge changes: it is part of the artefact key of a script.
  id: 'knowledge-3',
  async find({ idea, language }) {
    if (language !== 'en') return null
    const match = matchTopic(idea, await indexed())
    return match ? findingsOf(match.topic, match.rest) : null
  },
}

/** Facts about the rest of the idea come first: of "octopus hearts", those about hearts. */
function findingsOf(topic: Topic, rest: readonly string[]): Findings {
  const relevance = ({ text }: Fact) => {
    const stems = new Set(contentStems(text))
    return rest.filter((stem) => stems.has(stem)).length
  }
  const facts = topic.facts.toSorted((a, b) => relevance(b) - relevance(a))
  const sources = topic.sources.map(({ title, url }) => ({ title, url, licence: null }))
  const { title, kind, hooks, closes } = topic
  return { title, kind, hooks, facts, turn: facts.indexOf(topic.facts[topic.turn]!), closes, sources }
}
