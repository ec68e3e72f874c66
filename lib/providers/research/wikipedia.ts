/**
 * Research in Wikipedia, in the language of the script, by the Action API: https://www.mediawiki.org/wiki/API:Search and
 * https://www.mediawiki.org/wiki/Extension:TextExtracts (read November 2026). Needs no key, but a User-Agent that names
 * its caller. Texts are under CC BY-SA 4.0: attribution is owed. No article is better than one about something else.
 */

import * as v from 'valibot'
import { nameLengthMax, urlLengthMax } from '../../domain/core/bounded.ts'
import { ProviderBusy } from '../../domain/core/failures.ts'
import { extractKeywords } from '../../domain/generation/keywords.ts'
import { callVendor, type KeylessSource, type Vendor } from '../vendor.ts'
import { mentions, paragraphsOf, standaloneSentences, subjectWords } from './article-facts.ts'
import type { Fact, Findings, Research } from './index.ts'
import { personalIdea } from './match-topic.ts'

const deadlineMs = 4_000
const candidatesMax = 5
/** Fewer make no script. */
const factsMin = 4
const factsMax = 10
/** An introduction with fewer is completed by the sections. */
const introFactsMin = 6
/** Share of an idea's words that title and introduction have to hold; the whole article has to hold all of them. */
const coverageMin = 0.3
/** Seconds that the replicas of the servers may lag behind: https://www.mediawiki.org/wiki/Manual:Maxlag_parameter. */
const maxlag = '5'
const keywordsMax = 8

const page = v.object({
  pageid: v.number(),
  title: v.pipe(v.string(), v.maxLength(nameLengthMax)),
  /** Rank of the search. */
  index: v.optional(v.number(), 0),
  canonicalurl: v.optional(v.pipe(v.string(), v.maxLength(urlLengthMax))),
  extract: v.optional(v.string(), ''),
  pageprops: v.optional(v.object({ disambiguation: v.optional(v.string()) })),
})
type Page = v.InferOutput<typeof page>
const responseSchema = v.object({
  error: v.optional(v.object({ code: v.string() })),
  query: v.optional(v.object({ pages: v.optional(v.array(page), []) })),
})

export function wikipediaResearch({ url, userAgent }: KeylessSource): Research {
  return {
    // Increment when the choice of articles or sentences changes: it is part of the artefact key of a script.
    id: 'wikipedia-1',
    async find({ idea, language }, signal) {
      if (!/^[a-z]{2,3}$/.test(language) || (language === 'en' && personalIdea.test(idea))) return null
      const words = subjectWordsOf(idea, language)
      if (words.length === 0) return null
      const vendor: Vendor = {
        name: 'Wikipedia',
        url: url.replace('{language}', language),
        headers: { 'user-agent': userAgent },
      }
      const found = await query(vendor, searchFor(searchWords(idea, language)), signal)
      const article = bestArticle(found, words, language)
      if (!article) return null
      const intro = factsIn(article.extract, language)
      const isCovered = words.every(mentions(`${article.title} ${article.extract}`, language))
      if (intro.length >= introFactsMin && isCovered) return findingsOf(article, intro, words, language)
      const [whole] = await query(vendor, textOf(article), signal)
      const text = whole?.extract ?? ''
      if (!words.every(mentions(`${article.title} ${text}`, language))) return null
      return findingsOf(article, factsIn(text, language), words, language)
    },
  }
}

/** The content words as written: the search requires each of them, and knows their forms. */
function searchWords(idea: string, language: string): string {
  const words = language === 'en' ? (idea.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) : subjectWordsOf(idea, language)
  return words.filter((word) => subjectWords(word, language, [word]).length > 0).join(' ')
}

const subjectWordsOf = (text: string, language: string) =>
  subjectWords(text, language, extractKeywords(text, keywordsMax))

const common = { action: 'query', format: 'json', formatversion: '2', redirects: '1', maxlag }
const parts = { prop: 'extracts|info|pageprops', inprop: 'url', ppprop: 'disambiguation', explaintext: '1' }

const searchFor = (words: string) => ({
  ...common,
  ...parts,
  generator: 'search',
  gsrsearch: words.slice(0, 300),
  gsrlimit: String(candidatesMax),
  exintro: '1',
  exlimit: 'max',
})

/** A whole text can be requested of one article at a time. */
const textOf = ({ pageid }: Page) => ({
  ...common,
  ...parts,
  pageids: String(pageid),
  exsectionformat: 'wiki',
  exlimit: '1',
})

async function query(vendor: Vendor, parameters: Record<string, string>, signal?: AbortSignal): Promise<Page[]> {
  const path = `/w/api.php?${new URLSearchParams(parameters)}`
  const { error, query: result } = await callVendor(
    vendor,
    { path, deadlineMs, ...(signal && { signal }) },
    responseSchema,
  )
  // Sent with status 200 where the servers lag.
  if (error) throw new ProviderBusy(`${vendor.name} cannot answer now (${error.code}).`)
  return (result?.pages ?? []).toSorted((a, b) => a.index - b.index)
}

/** The first article whose title is about nothing but the idea, or whose first sentence holds all of it. */
function bestArticle(pages: readonly Page[], words: readonly string[], language: string): Page | undefined {
  const scored = pages.flatMap((article) => {
    const { title, extract, pageprops } = article
    if (pageprops?.disambiguation !== undefined || !article.canonicalurl || !extract) return []
    const [first = ''] = extract.split(/(?<=[.。।])\s/u)
    const name = title.replace(/(?<!\s)\s*\([^()]*\)$/, '')
    const inTitle = words.filter(mentions(name, language)).length
    const covered = words.filter(mentions(`${title} ${extract}`, language)).length / words.length
    const isNamed = isAbout(name, words, language) && covered >= coverageMin
    const isDescribed = words.length > 1 && inTitle > 0 && words.every(mentions(`${title} ${first}`, language))
    return isNamed || isDescribed ? [{ article, score: covered + inTitle / words.length }] : []
  })
  return scored.toSorted((a, b) => b.score - a.score)[0]?.article
}

/** Whether every word of the title is one of the idea's. */
function isAbout(title: string, words: readonly string[], language: string): boolean {
  const titleWords = subjectWordsOf(title, language)
  // English words are stems already.
  const isInIdea = language === 'en' ? (word: string) => words.includes(word) : mentions(words.join(' '), language)
  return titleWords.length > 0 && titleWords.every(isInIdea)
}

const factsIn = (text: string, language: string): string[] => [
  ...new Set(paragraphsOf(text).flatMap((paragraph) => standaloneSentences(paragraph, language))),
]

/** Sentences about the rest of the idea first, then in the order of the article; null if there are too few. */
function findingsOf(
  { title, canonicalurl }: Page,
  sentences: readonly string[],
  words: readonly string[],
  language: string,
): Findings | null {
  const inTitle = mentions(title, language)
  const rest = words.filter((word) => !inTitle(word))
  const subject = [...words, ...subjectWordsOf(title, language)]
  const relevance = (text: string) => rest.filter(mentions(text, language)).length
  // Sentences that name neither the subject nor the rest of the idea may be about something else.
  const relevant = sentences.filter((text) => subject.some(mentions(text, language)))
  const chosen = relevant.toSorted((a, b) => relevance(b) - relevance(a)).slice(0, factsMax)
  if (chosen.length < factsMin) return null
  const facts = chosen.map((text): Fact => ({ text, show: [], source: 0 }))
  const source = { title, url: canonicalurl!, licence: 'CC-BY-SA-4.0' }
  return { title, kind: 'explanation', hooks: [], facts, turn: null, closes: [], sources: [source] }
}
