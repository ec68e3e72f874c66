/**
 * Finds the drawn objects that the words of a text name, by the names of `assets/objects/keywords`. Pure: the names are
 * handed in. Every language has its own index; a language without one finds nothing.
 */
import { pictureOverrides } from './picture-overrides.ts'
import { pictureStopWords } from './picture-stop-words.ts'

/** The names of all objects in one language: id → label, then further words. */
export type ObjectNames = Readonly<Record<string, readonly string[]>>

/** An object that a text names. */
export interface ObjectMatch {
  object: string
  /** Drawings of the same word, the next best first. */
  alternates: string[]
  /** 5 and above: curated or the object's own name; 2: one of its keywords; below: part of a name. */
  score: number
  /** The position of the first and after the last word in the text. */
  from: number
  to: number
}

interface Entry {
  object: string
  weight: number
  /** From the curated words. */
  curated?: true
}

export interface PictureIndex {
  language: string
  entries: ReadonlyMap<string, readonly Entry[]>
}

/** Words of labels that say how a thing is drawn, not what it is. */
const drawingWords = new Set(
  'face button symbol sign with of the a and in on at up person gesicht mit und der die das cara con de la el visage avec du twarz z faccia viso rosto com gezicht met'.split(
    ' ',
  ),
)
const [nameWeight, keywordWeight, partWeight] = [5, 2.4, 1.2]
/** A keyword that more objects share is too general to choose by. */
const objectsPerKeywordMax = 14
const phraseWordsMax = 4

/** Builds the index of a language: some milliseconds. */
export function indexPictureWords({ language, objects }: { language: string; objects: ObjectNames }): PictureIndex {
  const found = new Map<string, Map<string, number>>()
  const add = (phrase: string, object: string, weight: number) => {
    if (phrase === '') return
    const weights = found.get(phrase) ?? new Map<string, number>()
    found.set(phrase, weights.set(object, Math.max(weight, weights.get(object) ?? 0)))
  }
  for (const [object, [label = '', ...keywords]] of Object.entries(objects)) {
    if (language === 'en') add(phraseKey(object.split('-'), language), object, nameWeight)
    const words = tokensOf(label, language)
    const meaning = words.filter((word) => !drawingWords.has(word))
    for (const name of [words, meaning])
      add(phraseKey(name, language), object, nameWeight - 0.1 * (words.length - name.length))
    if (meaning.length > 1) for (const word of meaning) add(phraseKey([word], language), object, partWeight)
    for (const keyword of keywords) add(phraseKey(tokensOf(keyword, language), language), object, keywordWeight)
  }
  const entries = new Map<string, Entry[]>()
  for (const [phrase, weights] of found) {
    const isName = [...weights.values()].some((weight) => weight > keywordWeight)
    if (weights.size > objectsPerKeywordMax && !isName) continue
    const rarity = Math.min(1, 1.15 - 0.16 * Math.log2(weights.size))
    const ranked = [...weights].map(([object, weight]) => ({
      object,
      weight: weight > keywordWeight ? weight : weight * Math.max(0.35, rarity),
    }))
    entries.set(
      phrase,
      ranked.toSorted(
        (a, b) => b.weight - a.weight || a.object.length - b.object.length || (a.object < b.object ? -1 : 1),
      ),
    )
  }
  return { language, entries: withOverrides(entries, language) }
}

/**
 * The index of a film: after its title has named a thing in two words and more, the last of them names it, too. In a film
 * about credit cards a card is one, in a film about playing cards it is another.
 */
export function withShortNames(index: PictureIndex, title: string): PictureIndex {
  const words = tokensOf(title, index.language, index)
  const names = findObjects(title, index).filter(({ from, to, score }) => to - from > 1 && score >= nameWeight)
  if (names.length === 0) return index
  const entries = new Map(index.entries)
  for (const { object, from, to } of names) {
    const phrase = entriesFor(words.slice(from, to), index)
    const isNoun = !isStopWord(words[to - 1]!, index.language)
    if (phrase?.[0]?.object === object && isNoun) entries.set(phraseKey([words[to - 1]!], index.language), phrase)
  }
  return { ...index, entries }
}

/** Generic things: drawn only where the sentence names nothing else. */
const vague = new Set(
  'person man woman busts-in-silhouette office-worker tear-off-calendar slightly-smiling-face right-arrow up-arrow down-arrow red-circle straight-ruler sun-behind-cloud'.split(
    ' ',
  ),
)
const weightOf = (object: string) => nameWeight - (vague.has(object) ? 2 : 0)

/** Curated words count as names. */
function withOverrides(
  entries: ReadonlyMap<string, readonly Entry[]>,
  language: string,
): Map<string, readonly Entry[]> {
  const all = new Map(entries)
  for (const [phrase, objects] of pictureOverrides(language)) {
    const key = phraseKey(tokensOf(phrase, language), language)
    all.set(
      key,
      objects.map((object, rank) => ({ object, weight: weightOf(object) - 0.2 * rank, curated: true as const })),
    )
  }
  return all
}

/** The object that a short noun phrase names: the one of that id or of the whole phrase, else the best of its parts. */
export function objectOfNoun(noun: string, index: PictureIndex): ObjectMatch | undefined {
  const words = tokensOf(noun, index.language, index)
  if (words.length === 0) return undefined
  const whole = entriesFor(words, index) ?? index.entries.get(words.join(' '))
  if (whole) return matchOf(whole, 0, words.length, 1)
  const parts = findObjects(noun, index, { allWords: true })
  // Of equal parts the last one: in "coffee cup" and "palm leaf" it says what the thing is.
  return parts.reduce<ObjectMatch | undefined>(
    (best, part) => (best && best.score > part.score ? best : part),
    undefined,
  )
}

/** The objects that a text names, in the order of its words; longer phrases win. `allWords`: the text lists things to show. */
export function findObjects(text: string, index: PictureIndex, { allWords = false } = {}): ObjectMatch[] {
  const words = tokensOf(text, index.language, index)
  const isStop = allWords ? noStop : (word: string) => isStopWord(word, index.language)
  const names = allWords ? new Set<number>() : properNamesIn(text, index.language)
  const matches: ObjectMatch[] = []
  for (let from = 0; from < words.length; ) {
    const match = longestMatch(words, from, index, isStop, names.has(from))
    if (match) matches.push(match)
    from = match ? match.to : from + 1
  }
  return matches
}

const noStop = () => false

function longestMatch(
  words: readonly string[],
  from: number,
  index: PictureIndex,
  isStop: (word: string) => boolean,
  isName: boolean,
): ObjectMatch | undefined {
  for (let count = Math.min(phraseWordsMax, words.length - from); count > 0; count--) {
    const phrase = words.slice(from, from + count)
    // "Red leaves" is curated, though either word alone says nothing.
    if (phrase.every(isStop) && (count === 1 || !entriesFor(phrase, index)?.[0]?.curated)) continue
    if (isStop(phrase[0]!) || isStop(phrase.at(-1)!)) {
      // Only a curated phrase or a name may begin or end with a function word.
      const entries = entriesFor(phrase, index)
      if (count > 1 && entries && entries[0]!.weight >= nameWeight) return matchOf(entries, from, from + count, count)
      continue
    }
    const entries = entriesFor(phrase, index)
    const isAction = count === 1 && index.language === 'en' && actionWords.has(phrase[0]!) && isStop !== noStop
    if (entries && (!isName || entries[0]!.curated))
      return matchOf(entries, from, from + count, count, isAction ? actionWeight : undefined)
  }
  return undefined
}

/**
 * English words that are mostly verbs or adjectives in a sentence: a thing is seen for them only where nothing better is
 * named. "The tower grows" is about no seedling.
 */
const actionWords = new Set(
  `grow grows grew grown growing watch watched watching choose faster share shared shares land landed lands cover covers covered wait waiting
  hit hits pick picked drop drops dropped record records recorded report reported rise rises rising return returned returns lie lies paid pay pays
  pause list listed plan planned plans spot spots float floats fall falling power charge stop stops stopped survive survived survives surviving win
  wins lift lifts pack packed sign signed rule ruled rules press pressed train trained form forms play played extra gap gaps cool cools safe control cut
  cuts light lights lighter spring ready learn learns learned read reads forget forgetting remember remembers step steps repeat repeated
  perfect interest cost costs fixed view attract attracts gather spend spends divided join divide locked blocked protected stand standing walk
  build builds built buy bought sell sold split check checked weighs weigh weighed counted count attack attacked fight fights fought kill kills killed
  fail failed false agree solve prove proved replace replaced cure cures compare decide decides decided guess guessed hear hears tip tips
  waste burn burns burned burning freeze climb climbs drive drives drink drinks eat eats eating ate dance control hurt hurts sink sinks bond
  wear cool fund older dark hot cold warm dead rich quiet silent calm add adds added needs awake earn earned slow slowly slower lead fastest spent
  beat beats beating link links linked space spaces account touch touches copies copy table strength famous favourite quick taste tastes tasted balance balances balanced fuel cooler
  colder warmer hotter stores stored storing acting picks predict predicts predicted trap traps trapped trapping sit sat`.split(
    /\s+/,
  ),
)
const actionWeight = 3

function matchOf(
  entries: readonly Entry[],
  from: number,
  to: number,
  count: number,
  weightMax = Number.POSITIVE_INFINITY,
): ObjectMatch {
  const [best, ...others] = entries
  const close = others.filter(({ weight }) => weight >= Math.min(2, best!.weight * 0.75))
  const score = Math.min(weightMax, best!.weight + 0.3 * (count - 1))
  return { object: best!.object, alternates: close.slice(0, 4).map(({ object }) => object), score, from, to }
}

function entriesFor(phrase: readonly string[], { entries, language }: PictureIndex): readonly Entry[] | undefined {
  const start = phrase.slice(0, -1)
  const last = phrase.at(-1)!
  for (const [rank, form] of formsOf(last, language).entries()) {
    const found =
      entries.get([...start, form].join(' ')) ??
      entries.get([...start.map((word) => stemOf(word, language)), form].join(' '))
    // The root of a verb names a thing only where that is its name: "shorter" is no pair of shorts, "helped" no crutch.
    if (found && (rank < 2 || language !== 'en' || found[0]!.curated)) return found
  }
  if (phrase.length === 1 && joinsNouns.has(language)) return lastNounOf(last, entries, language)
  return undefined
}

/** Languages that write compounds as one word: the last noun says what a thing is. */
const joinsNouns: ReadonlySet<string> = new Set(['de', 'nl'])

function lastNounOf(word: string, entries: PictureIndex['entries'], language: string): readonly Entry[] | undefined {
  for (let at = 3; at <= word.length - 4; at++) {
    const found = entries.get(stemOf(word.slice(at), language)) ?? entries.get(word.slice(at))
    if (found && found[0]!.weight >= 2) return found.map(({ object, weight }) => ({ object, weight: weight * 0.7 }))
  }
  return undefined
}

export const isStopWord = (word: string, language: string): boolean =>
  /^\p{N}/u.test(word) || pictureStopWords(language).has(word)

/** Languages in which a capital inside a sentence marks a name: Jean is a person, not trousers. */
const capitalisesNames: ReadonlySet<string> = new Set(['en', 'es', 'fr', 'it', 'nl', 'pl', 'pt'])

/** Positions of words with a capital inside a sentence; none in a title, where most words have one. */
function properNamesIn(text: string, language: string): Set<number> {
  if (!capitalisesNames.has(language)) return new Set()
  const plain = withoutGenitive(text)
  const words = [...plain.matchAll(wordPattern)]
  const capitals = words.flatMap(({ 0: word, index }, at) => {
    const previous = words[at - 1]
    const between = previous && plain.slice(previous.index + previous[0].length, index).trimEnd()
    return /^\p{Lu}/u.test(word) && between !== undefined && !/[.!?:…"“]$/.test(between) ? [at] : []
  })
  return new Set(capitals.length * 2 > words.length ? [] : capitals)
}

const wordPattern = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu
const withoutGenitive = (text: string) => text.normalize('NFC').replace(/[’']s\b/g, '')

/** Marks of Latin letters go; those of other scripts are letters. */
const normalised = (word: string) =>
  word
    .toLowerCase()
    .normalize('NFD')
    .replace(/(?<=[a-z])\p{M}+/gu, '')
    .normalize('NFC')

/** The words of a text in lower case; Chinese is cut by the index, longest word first. */
export function tokensOf(text: string, language: string, index?: PictureIndex): string[] {
  const words = (withoutGenitive(text).match(wordPattern) ?? []).map(normalised)
  return language === 'zh' && index ? words.flatMap((word) => cutChinese(word, index)) : words
}

function cutChinese(text: string, { entries }: PictureIndex): string[] {
  const words: string[] = []
  for (let at = 0; at < text.length; ) {
    const length = [4, 3, 2, 1].find((size) => at + size <= text.length && entries.has(text.slice(at, at + size))) ?? 1
    words.push(text.slice(at, at + length))
    at += length
  }
  return words
}

const phraseKey = (words: readonly string[], language: string): string =>
  words.map((word, index) => (index === words.length - 1 ? stemOf(word, language) : word)).join(' ')

const endings: Record<string, RegExp> = {
  hi: /(?:ियों|ियाँ|ियां|ाओं|ों|ें|ाँ|ी|े|ा|ो)$/u,
  ko: /(?<=..)(?:에서|으로|에게|까지|부터|이나|들은|들이|들을|들의|들|은|는|이|가|을|를|의|에|로|와|과|도|만)$/u,
  pl: /(?:ami|ach|owi|ow|om|em|ie|y|a|e|i|o|u)$/u,
}
const anyEnding = /(?:en|er|em|es|os|as|s|e|n|a|o|i)$/u

/** What inflected forms of a word have in common. */
function stemOf(word: string, language: string): string {
  if (language === 'zh') return word
  if (language === 'en') return singularOf(word)
  const stem = word.replace(endings[language] ?? anyEnding, '')
  return stem.length >= (language === 'hi' || language === 'ko' ? 2 : 3) ? stem : word
}

/** Forms under which an inflected word may be listed, the likeliest first. */
function formsOf(word: string, language: string): string[] {
  if (language !== 'en') return [...new Set([stemOf(word, language), word])]
  const forms = [singularOf(word), word]
  const root = /^(\w{3,})(?:ing|ed|er)$/.exec(word)?.[1]
  if (root) forms.push(root, `${root}e`, root.replace(/(\w)\1$/, '$1'))
  if (/^\w{3,}ied$/.test(word)) forms.push(word.replace(/ied$/, 'y'))
  return [...new Set(forms)]
}

const irregular: Record<string, string> = {
  men: 'man',
  women: 'woman',
  children: 'child',
  teeth: 'tooth',
  feet: 'foot',
  mice: 'mouse',
  geese: 'goose',
  oxen: 'ox',
  octopuses: 'octopus',
  viruses: 'virus',
  leaves: 'leaf',
  knives: 'knife',
  wolves: 'wolf',
  lives: 'life',
  wives: 'wife',
  dice: 'die',
  people: 'people',
  glasses: 'glasses',
  shorts: 'shorts',
  jeans: 'jeans',
  slept: 'sleep',
  grew: 'grow',
  grown: 'grow',
  froze: 'freeze',
  frozen: 'freeze',
  sank: 'sink',
  sunk: 'sink',
  ate: 'eat',
  drank: 'drink',
  flew: 'fly',
  swam: 'swim',
  wrote: 'write',
  written: 'write',
  built: 'build',
  fought: 'fight',
  forgave: 'forgive',
  forgiven: 'forgive',
  paid: 'pay',
  bought: 'buy',
  sold: 'sell',
  burnt: 'burn',
}

function singularOf(word: string): string {
  if (Object.hasOwn(irregular, word)) return irregular[word]!
  if (word.length < 4 || /(?:ss|us|is)$/.test(word)) return word
  if (/ies$/.test(word) && word.length > 4) return word.replace(/ies$/, 'y')
  if (/(?:x|ch|sh|ss|zz)es$/.test(word)) return word.replace(/es$/, '')
  if (/oes$/.test(word) && word.length > 5) return word.replace(/es$/, '')
  return word.replace(/s$/, '')
}
