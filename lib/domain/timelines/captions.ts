/** Caption words and the pages that group them on screen. */
import * as v from 'valibot'

const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_]{1,64}$/))
const milliseconds = v.pipe(v.number(), v.integer(), v.minValue(0))

export const captionWord = v.object({
  id,
  startMs: milliseconds,
  endMs: milliseconds,
  /** The word in lower case without punctuation, for search and matching. */
  text: v.string(),
  /** The word as it is shown. */
  punctuated_word: v.string(),
  confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
})
export type CaptionWord = v.InferOutput<typeof captionWord>

const decoration = v.record(v.string(), v.unknown())

export const captionPage = v.object({
  id,
  startMs: milliseconds,
  endMs: milliseconds,
  hidden: v.boolean(),
  emoji: v.optional(decoration),
  audioEffect: v.optional(decoration),
})
export type CaptionPage = v.InferOutput<typeof captionPage>

/** A word as the narrator spoke it. */
export interface HeardWord {
  text: string
  startMs: number
  endMs: number
}

/** Caption words in the narrator's own timing. `idOf` names the word at an index. */
export const wordsOf = (heard: readonly HeardWord[], idOf: (index: number) => string): CaptionWord[] =>
  heard.map(({ text, startMs, endMs }, index) => ({
    id: idOf(index),
    startMs,
    endMs,
    text: text.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''),
    punctuated_word: text,
    confidence: 1,
  }))

/** What a reader takes in at one glance on a phone. */
const pageWordsMax = 4
const pageCharactersMax = 22
/** Nobody speaks longer without a rest; it also bounds the search for even pages in a text without any stop. */
const phraseWordsMax = 40
/** A rest that is heard as one ends a page. */
const restMs = 350
/** A page stays a moment after its last word, where nothing follows at once. */
const lingerMs = 250

/** Groups words into pages: a few at a time, broken where the voice rests or a sentence ends, of even length in between. */
export function pagesOf(words: readonly CaptionWord[], idOf: (index: number) => string): CaptionPage[] {
  const groups = phrasesOf(words).flatMap(evenly)
  return groups.map((group, index) => {
    const next = groups[index + 1]?.[0]
    const endMs = Math.min(group.at(-1)!.endMs + lingerMs, next?.startMs ?? Number.POSITIVE_INFINITY)
    return { id: idOf(index), startMs: group[0]!.startMs, endMs, hidden: false }
  })
}

function phrasesOf(words: readonly CaptionWord[]): CaptionWord[][] {
  const phrases: CaptionWord[][] = []
  words.forEach((word, index) => {
    const before = words[index - 1]
    const goesOn = before && !endsSentence(before.punctuated_word) && word.startMs - before.endMs < restMs
    if (goesOn && phrases.at(-1)!.length < phraseWordsMax) phrases.at(-1)!.push(word)
    else phrases.push([word])
  })
  return phrases
}

const lengthOf = (words: readonly CaptionWord[]) =>
  words.reduce((sum, { punctuated_word }) => sum + punctuated_word.length + 1, -1)

/** Cuts a phrase into as few pages as fit, as even as words allow, so that none ends on a lonely word. */
function evenly(phrase: CaptionWord[]): CaptionWord[][] {
  const fewest = Math.ceil(Math.max(phrase.length / pageWordsMax, lengthOf(phrase) / pageCharactersMax))
  for (let count = Math.max(fewest, 1); count < phrase.length; count++) {
    const pages = cutInto(phrase, count)
    if (pages.every(isOnePage)) return pages
  }
  return phrase.map((word) => [word])
}

const isOnePage = (page: CaptionWord[]) =>
  page.length === 1 || (page.length <= pageWordsMax && lengthOf(page) <= pageCharactersMax)

/** Each page takes words until it has its share of what is left. */
function cutInto(phrase: CaptionWord[], count: number): CaptionWord[][] {
  const pages: CaptionWord[][] = []
  let rest = phrase
  for (let left = count; left > 0; left--) {
    const share = lengthOf(rest) / left
    let take = 1
    while (take < rest.length - (left - 1) && (left === 1 || lengthOf(rest.slice(0, take + 1)) <= share + 2)) take++
    pages.push(rest.slice(0, take))
    rest = rest.slice(take)
  }
  return pages
}

/** Whether a word closes a sentence, quotes and brackets after the mark included. */
export const endsSentence = (word: string) => /[.!?…。！？।][\p{Pe}\p{Pf}"']*$/u.test(word)

/** The captions as a WebVTT file, one cue a page. */
export function webVtt(words: readonly CaptionWord[], pages: readonly CaptionPage[]): string {
  const cues = pages
    .filter(({ hidden }) => !hidden)
    .map(({ startMs, endMs }) => {
      const text = wordsBetween(words, startMs, endMs).map(({ punctuated_word }) => punctuated_word)
      return `${vttTime(startMs)} --> ${vttTime(endMs)}\n${text.join(' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}\n`
    })
  return ['WEBVTT\n', ...cues].join('\n')
}

/** The words that begin inside a span. */
export const wordsBetween = (words: readonly CaptionWord[], startMs: number, endMs: number) =>
  words.filter((word) => word.startMs >= startMs && word.startMs < endMs)

const vttTime = (ms: number) => new Date(ms).toISOString().slice(11, 23)
