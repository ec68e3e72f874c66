/** Caption words and the pages that group them on screen: schemas, edits, pagination and WebVTT. */
import * as v from 'valibot'
import { boundedText } from '../../core/bounded.ts'
import { JobFailure } from '../../core/failures.ts'
import { Refusal } from '../../core/refusal.ts'
import { clip, endsSentence, isAbbreviation } from '../../core/text.ts'
import type { MintItemId, Span, TimedWord } from '../../core/timeline-item.ts'
import {
  byId,
  captionTextLengthMax,
  itemId,
  offsetMs,
  storedTimelineBytesMax,
  timelineItemsMax,
  withinSizeLimit,
} from '../../core/timeline-item.ts'

/** Per request. */
export const captionWordsMax = 6_000
export const captionPagesMax = 2_000
/** Characters of a word. */
export const captionWordLengthMax = 200

export const captionWord = v.object({
  id: itemId,
  startMs: offsetMs,
  endMs: offsetMs,
  /** In lower case without punctuation, for search and matching. */
  text: boundedText(captionWordLengthMax),
  /** As displayed. */
  punctuated_word: boundedText(captionWordLengthMax),
  confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
})
export type CaptionWord = v.InferOutput<typeof captionWord>

const decoration = v.record(v.string(), v.unknown())

export const captionPage = v.object({
  id: itemId,
  startMs: offsetMs,
  endMs: offsetMs,
  hidden: v.boolean(),
  emoji: v.optional(decoration),
  audioEffect: v.optional(decoration),
})
export type CaptionPage = v.InferOutput<typeof captionPage>

export interface Captions {
  captions: CaptionWord[]
  captionsPages: CaptionPage[]
}

/** A word or a page of a request; absent fields get defaults. */
type SentWord = Omit<CaptionWord, 'id'> & { id?: string | null | undefined }
type SentPage = Pick<CaptionPage, 'startMs' | 'endMs'> & { id?: string | null | undefined; hidden?: boolean }

/** A list that is sent replaces the stored one; an absent one stays. */
interface CaptionsInput {
  captions?: SentWord[]
  captionsPages?: SentPage[]
}

/** The captions after an edit. A page is merged over the stored one with its id, which preserves its decorations. */
export function mergeCaptions(stored: Captions, input: CaptionsInput, mint: MintItemId): Captions {
  const pages = byId(stored.captionsPages)
  const after = withinSizeLimit({
    captions: input.captions?.map(({ id, ...word }) => ({ id: id ?? mint('cap'), ...word })) ?? stored.captions,
    captionsPages:
      input.captionsPages?.map(({ id, ...page }) => ({
        hidden: false,
        ...(id ? pages.get(id) : undefined),
        ...page,
        id: id ?? mint('pag'),
      })) ?? stored.captionsPages,
  })
  refuseOverlappingSpans(after.captions, after.captionsPages)
  return after
}

/** JSON overhead of a word in addition to its text. */
const wordOverheadBytes = 60

/** Refuses spans that repeat the same words: two thousand spans of a day each would expand any transcript to gigabytes. */
export function refuseOverlappingSpans(words: readonly CaptionWord[], spans: readonly Span[]): void {
  let bytes = 0
  for (const { startMs, endMs } of spans) {
    for (const { punctuated_word } of wordsBetween(words, startMs, endMs))
      bytes += punctuated_word.length + wordOverheadBytes
    if (bytes > storedTimelineBytesMax)
      throw new Refusal('payload-too-large', 'The items overlap too much: together they repeat the words too often.')
  }
}

/** Storage keys of a narration's captions. */
export interface StoredCaptions {
  /** The subtitle file; null without words. */
  captionsKey: string | null
  timelines: { captions: string; captionsPages: string }
}

/** From the first letter or digit to the last. Linear: a pattern ending in `+$` would backtrack over long runs of punctuation. */
const fromLetterToLetter = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?\p{M}*/su

/**
 * Caption words with the timing of a narrator, a transcriber or the subtitles of a file. Longer words than a client may send
 * are cut. `idOf` gives the id of the word at an index.
 * @throws JobFailure `transcription-failed` for more words than a video may have.
 */
export function toCaptionWords(words: readonly TimedWord[], idOf: (index: number) => string): CaptionWord[] {
  refuseLongTranscript(words)
  return words.map(({ text, startMs, endMs }, index) => ({
    id: idOf(index),
    startMs,
    endMs,
    text: cutWord(cutWord(text).toLowerCase().match(fromLetterToLetter)?.[0] ?? ''),
    punctuated_word: cutWord(text),
    confidence: 1,
  }))
}

/** A word of a narrator, a transcriber or a file, as long as a caption may be. */
export const cutWord = (text: string) => clip(text, captionWordLengthMax)

function refuseLongTranscript(words: readonly TimedWord[]): void {
  const length = words.reduce((sum, { text }) => sum + Math.min(text.length, captionWordLengthMax), 0)
  if (words.length > timelineItemsMax || length > captionTextLengthMax)
    throw new JobFailure(
      'transcription-failed',
      `The transcript has ${words.length} words and ${length} characters; the maximum is ${timelineItemsMax} words and ${captionTextLengthMax} characters.`,
    )
}

/** Readable at a glance on a phone. */
const pageWordsMax = 4
const pageCharactersMax = 22
/** An audible pause ends a page. */
const pauseMs = 350
/** A page stays a moment after its last word, or until a page that starts soon: a blank between them would flicker. */
const lingerMs = 250
const holdMs = 600

/** Groups words into pages, broken at pauses and sentence ends and evenly filled in between. */
export function paginateCaptions(words: readonly CaptionWord[], idOf: (index: number) => string): CaptionPage[] {
  const groups = phrasesOf(words).flatMap(paginatePhrase)
  return groups.map((group, index) => {
    const spokenMs = group.at(-1)!.endMs
    const nextMs = groups[index + 1]?.[0]?.startMs ?? Number.POSITIVE_INFINITY
    const endMs = nextMs - spokenMs <= holdMs ? nextMs : spokenMs + lingerMs
    return { id: idOf(index), startMs: group[0]!.startMs, endMs, hidden: false }
  })
}

function phrasesOf(words: readonly CaptionWord[]): CaptionWord[][] {
  const phrases: CaptionWord[][] = []
  words.forEach((word, index) => {
    const before = words[index - 1]
    const continues =
      before && (isEmojiOnly(word) || (!sentenceEndsAt(words, index - 1) && word.startMs - before.endMs < pauseMs))
    if (continues) phrases.at(-1)!.push(word)
    else phrases.push([word])
  })
  return phrases
}

/** Whether a sentence ends with a word, or with the word before its emoji. */
function sentenceEndsAt(words: readonly CaptionWord[], index: number): boolean {
  const word = words[index]
  if (word === undefined) return false
  return isEmojiOnly(word) ? sentenceEndsAt(words, index - 1) : endsSentence(word.punctuated_word)
}

/** Emoji of the text are words without sound; they are shown as the emoji of their page. */
const isEmojiOnly = ({ punctuated_word }: CaptionWord) =>
  /\p{Extended_Pictographic}/u.test(punctuated_word) && !/[\p{L}\p{N}]/u.test(punctuated_word)

const lengthOf = (words: readonly CaptionWord[]) =>
  words.filter((word) => !isEmojiOnly(word)).reduce((sum, { punctuated_word }) => sum + punctuated_word.length + 1, -1)

/** A page that is shown for less time cannot be read. */
const pageMsMin = 600
/** Characters of a page that would otherwise be too short, or would part bound words. */
const pageCharactersLimit = 30
/** In squared characters, the unit of slack: of a page that is too short, of parted words, of each excess character. */
const costs = { short: 700, parted: 500, excess: 90 }

const units =
  /^(?:%|°[CF]?|[kmcµ]?[gmlwb]|[kmgt]?b|[km]?hz|kwh|mph|km\/h|kcal|oz|lbs?|ft|in|a\.?m|p\.?m|min|sec|hrs?|percent|percentage|per|prozent|pour|por|degrees?|grad|thousand|million|billion|trillion|tausend|millionen|milliarden|mil|millones|mille|millions|milliards|milioni|miliardi|dollars?|euros?|years?|days?|hours?|minutes?|seconds?)[.,;:!?]*$/iu

/** Whether a page break would part what is read as one: "340 g", "iPhone 15", "Dr. Smith". */
function areBound({ punctuated_word: word }: CaptionWord, { punctuated_word: next }: CaptionWord): boolean {
  if (isAbbreviation(word)) return true
  if (/^[$€£¥]?\d[\d.,]*$/u.test(word)) return units.test(next) && !/[.,]$/u.test(word)
  return /^\d/u.test(next) && /^(?:\p{Lu}|\p{Ll}{1,2}\p{Lu}|#)[\p{L}\p{N}&+.-]*$/u.test(word) && !/[.,]$/u.test(word)
}

/**
 * Cuts a phrase into pages with the least sum of costs, as in optimal line breaking, which avoids a single word at the
 * end. Dynamic programming from the end: `best[index]` is the optimum for the words from there on.
 */
function paginatePhrase(phrase: CaptionWord[]): CaptionWord[][] {
  const best: { cost: number; take: number }[] = Array.from({ length: phrase.length + 1 }, () => ({
    cost: 0,
    take: 0,
  }))
  for (let index = phrase.length - 1; index >= 0; index--) {
    const choices = Array.from({ length: Math.min(pageWordsMax, phrase.length - index) }, (_, more) => more + 1)
      .filter((take) => take === 1 || lengthOf(phrase.slice(index, index + take)) <= pageCharactersLimit)
      .map((take) => ({ take, cost: costOfPage(phrase, index, take) + best[index + take]!.cost }))
    best[index] = choices.reduce((least, choice) => (choice.cost < least.cost ? choice : least))
  }
  const pages: CaptionWord[][] = []
  for (let index = 0; index < phrase.length; index += best[index]!.take)
    pages.push(phrase.slice(index, index + best[index]!.take))
  return pages
}

function costOfPage(phrase: readonly CaptionWord[], from: number, take: number): number {
  const page = phrase.slice(from, from + take)
  const [last, next] = [page.at(-1)!, phrase[from + take]]
  const room = pageCharactersMax - lengthOf(page)
  const slack = room >= 0 ? room ** 2 : take === 1 ? 0 : costs.excess * -room
  const shownMs = (next?.startMs ?? last.endMs + lingerMs) - page[0]!.startMs
  const isParted = next !== undefined && (isEmojiOnly(next) || areBound(last, next))
  return slack + (shownMs < pageMsMin ? costs.short : 0) + (isParted ? costs.parted : 0)
}

/** The captions as a WebVTT file: one cue per visible page with words, in the order of time that the format requires. */
export function webVtt(words: readonly CaptionWord[], pages: readonly CaptionPage[]): string {
  const cues = pages
    .filter(({ hidden }) => !hidden)
    .toSorted((a, b) => a.startMs - b.startMs)
    .map(({ startMs, endMs }) => ({ startMs, endMs, shown: wordsBetween(words, startMs, endMs) }))
    .filter(({ shown }) => shown.length > 0)
    .map(({ startMs, endMs, shown }) => {
      const text = cueText(shown.map(({ punctuated_word }) => punctuated_word).join(' '))
      return `${vttTime(startMs)} --> ${vttTime(endMs)}\n${text}\n`
    })
  return ['WEBVTT\n', ...cues].join('\n')
}

/** Escapes a cue: an empty line would end it, an arrow would start another one. */
const cueText = (text: string) =>
  text.trim().replace(/\s+/g, ' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The words that start inside a span. */
export const wordsBetween = (words: readonly CaptionWord[], startMs: number, endMs: number) =>
  words.filter((word) => word.startMs >= startMs && word.startMs < endMs)

const vttTime = (ms: number) => new Date(ms).toISOString().slice(11, 23)
