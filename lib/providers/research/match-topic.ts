/**
 * Finds the topic that an English idea is about, by weighted word overlap. Prefers no topic over a wrong one: a script
 * about something else is worse than none.
 */
import type { Topic } from './knowledge.ts'

/** Words that say how a video is made or asked for, not what it is about. */
const genericWords = new Set(
  `a about actually after all also am an and any anymore anyone are as at be because been before behind being best better between biggest but by can could
  did do does doing each easy ever every everyday everyone exactly explain explained explainer explaining fact facts few first fun for from get gets
  getting give good great guide had happen happens has have having hidden history how i idea ideas if important in interesting into is it its just
  know kid kids lesson lessons let like little make makes making many matter matters may me mean means minute minutes more most much my myth myths need never
  new no not of off on one only or origin our out over people person please quick quickly real really reason reasons rule rules science secret
  secrets seconds short should show simple simply so some step steps story strange such surprising take talk tell than that the
  their them then there these they thing things this those through tip tips to today too top trick tricks true truth try two three four five
  six seven eight nine ten under up us use used using video very want was way ways we weird well were what when where which while
  who why will with without work works working would you your yourself`.split(/\s+/),
)

/** Words and their stems, without generic ones, each once. */
export function contentStems(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replace(/['’]s\b/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(words.filter((word) => !genericWords.has(word) && !/^\d{1,2}$/.test(word)).map(stemOf))]
}

/** Strips plural and verb endings, so that "cats", "sleeping" and "stories" match "cat", "sleep" and "story". */
export function stemOf(word: string): string {
  if (word.length < 4) return word
  const stem = word
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(ss|sh|ch|x|z)es$/, '$1')
    .replace(/([^su])s$/, '$1')
    .replace(/(?:ing|ed|ly)$(?<=[aeiouy].*[a-z](?:ing|ed|ly))/, '')
  return (stem.length < 3 ? word : stem).replace(/([bdfgmnprt])\1$/, '$1').replace(/(?<=..)e$/, '')
}

interface TopicIndex {
  /** The topics with a name that holds one of these stems, in the order of the topics. */
  candidates(stems: readonly string[]): readonly IndexedTopic[]
  /** How much a stem says about a subject: rare ones more. A stem of no topic weighs most. */
  weightOf(stem: string): number
}

interface IndexedTopic {
  topic: Topic
  /** The stems of each name, and of the title. */
  names: readonly string[][]
  nameStems: ReadonlySet<string>
  /** Names that are more than their stems, such as "three hearts": an idea may hold the stems and mean something else. */
  reduced: ReadonlySet<string[]>
  /** Stems of nearly all names: what the topic is about, such as the octopus of "Why octopuses have 3 hearts". */
  essential: readonly string[]
  factStems: ReadonlySet<string>
}

export function indexTopics(topics: readonly Topic[]): TopicIndex {
  const entries = topics.map((topic): IndexedTopic => {
    const phrases = [topic.title, ...topic.names].map((phrase) => ({ phrase, stems: contentStems(phrase) }))
    const named = phrases.filter(({ stems }) => stems.length > 0)
    const names = named.map(({ stems }) => stems)
    const reduced = new Set(
      named.flatMap(({ phrase, stems }) => (phrase.split(/\s+/).length > stems.length ? [stems] : [])),
    )
    const factStems = new Set(contentStems([...topic.hooks, ...topic.facts.map(({ text }) => text)].join(' ')))
    return { topic, names, nameStems: new Set(names.flat()), reduced, essential: essentialStems(names), factStems }
  })
  const counts = new Map<string, number>()
  const places = new Map<string, number[]>()
  for (const [place, { nameStems }] of entries.entries())
    for (const stem of nameStems) {
      counts.set(stem, (counts.get(stem) ?? 0) + 1)
      places.set(stem, [...(places.get(stem) ?? []), place])
    }
  return {
    candidates: (stems) =>
      [...new Set(stems.flatMap((stem) => places.get(stem) ?? []))]
        .toSorted((a, b) => a - b)
        .map((place) => entries[place]!),
    weightOf: (stem) => Math.log(1 + topics.length / (1 + (counts.get(stem) ?? 0))),
  }
}

const essentialShare = 0.7

const essentialStems = (names: readonly string[][]) =>
  [...new Set(names.flat())].filter(
    (stem) => names.filter((name) => name.includes(stem)).length >= essentialShare * names.length,
  )

/** Share of the idea's weight that the topic has to cover. */
const coverageMin = 0.45
/** For an idea with a name that the topic does not know, such as a town. */
const namedCoverageMin = 0.62
/** For an idea about the client's own life, which no topic knows. */
const personalCoverageMin = 0.95
/** A stem that only a fact holds counts less than one of a name. */
const factShare = 0.6

/** "My" and "our" before anything but what everyone has, and "I" outside a question. */
export const personalIdea =
  /\b(?:my|our)\b(?!\s+(?:own\s+)?(?:body|bodies|brain|eyes?|ears?|heart|skin|bones?|blood|stomach|fingers|muscles|memory|mind|planet|moon|sun|galaxy|solar|universe|oceans?|cats?|dogs?|phone|ancestors)\b)|(?<!\b(?:do|can|should|could|would|will|did|must|how)\s)\bI\b/

/** The best topic for an idea, with the stems of the idea that its names do not hold; undefined if none fits. */
export function matchTopic(
  idea: string,
  { candidates, weightOf }: TopicIndex,
): { topic: Topic; rest: string[] } | undefined {
  const stems = contentStems(idea)
  const stemSet = new Set(stems)
  const weights = new Map(stems.map((stem) => [stem, weightOf(stem)]))
  const weigh = (shareOfStem: (stem: string) => number) =>
    stems.reduce((sum, stem) => sum + shareOfStem(stem) * weights.get(stem)!, 0)
  const total = weigh(() => 1)
  if (total === 0) return undefined
  const scored = candidates(stems).flatMap((entry) => {
    const named = nameWithin(entry, stemSet)
    if (named === 0) return []
    const covered = weigh((stem) => shareOf(stem, entry)) / total
    // Between equal coverage the more specific topic wins: the one with the longer matching name.
    return [{ entry, covered, score: covered + 0.05 * Math.min(named, 4) }]
  })
  const best = scored.toSorted((a, b) => b.score - a.score)[0]
  if (!best || best.covered < coverageNeeded(idea, best.entry)) return undefined
  return { topic: best.entry.topic, rest: stems.filter((stem) => !best.entry.nameStems.has(stem)) }
}

function coverageNeeded(idea: string, entry: IndexedTopic): number {
  if (personalIdea.test(idea)) return personalCoverageMin
  return properNames(idea).some((stem) => shareOf(stem, entry) === 0) ? namedCoverageMin : coverageMin
}

/** Stems of the capitalised words after the first one; none in a heading, where most words are. */
function properNames(idea: string): string[] {
  const [, ...words] = idea.match(/[\p{L}\p{N}]+/gu) ?? []
  const capitalised = words.filter((word) => /^\p{Lu}/u.test(word))
  return capitalised.length * 2 > words.length ? [] : capitalised.flatMap(contentStems)
}

const shareOf = (stem: string, { nameStems, factStems }: IndexedTopic) =>
  nameStems.has(stem) ? 1 : factStems.has(stem) ? factShare : 0

/** Number of stems of the longest name that the idea holds as a whole. */
function nameWithin({ names, reduced, essential }: IndexedTopic, stems: ReadonlySet<string>): number {
  const isTrusted = (name: string[]) => !reduced.has(name) || name.length === stems.size
  const holdsEssential = essential.every((stem) => stems.has(stem))
  const held = names.filter((name) => name.every((stem) => stems.has(stem)) && (holdsEssential || isTrusted(name)))
  return Math.max(0, ...held.map((name) => name.length))
}
