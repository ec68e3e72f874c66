/** English phrases that say nothing about a subject: clichés, which are never accepted, and hedges, which are counted. */
import fillers from './fillers.json' with { type: 'json' }

export const cliches: readonly string[] = fillers.cliches
export const hedges: readonly string[] = fillers.hedges

const escaped = (phrase: string) => phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
/** Longest first, so that a phrase is not counted as a part of itself. */
const patternOf = (phrases: readonly string[]) => {
  const alternatives = phrases.toSorted((a, b) => b.length - a.length).map(escaped)
  return new RegExp(`(?<![\\p{L}'])(?:${alternatives.join('|')})(?![\\p{L}'])`, 'giu')
}
const clichePattern = patternOf(cliches)
const fillerPattern = patternOf([...cliches, ...hedges])

const plain = (text: string) => text.replace(/[‘’]/g, "'").replace(/\s+/g, ' ')

/** The clichés of a text, each once, in lower case. */
export const clichesIn = (text: string): string[] => [
  ...new Set((plain(text).match(clichePattern) ?? []).map((phrase) => phrase.toLowerCase())),
]

/** Clichés and hedges of a text, in order. */
export const fillersIn = (text: string): string[] => plain(text).match(fillerPattern) ?? []
