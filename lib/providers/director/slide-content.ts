/** The content of slides by template, extracted from the narration. */
import { extractKeywords } from '../../domain/generation/keywords.ts'
import type { Template } from '../../domain/generation/scenes/presentation-scenes.ts'
import type { Brief } from '../../domain/records/brief.ts'
import type { Beat } from './beat.ts'
import { phrasePatterns } from './phrase-patterns.ts'

type Asset = Brief['presentationAssets'][number]

interface SlidePlan {
  emphasis: string
  visual: { type: string; items: number; anchors: string[] }
  content: Record<string, unknown>
}

const itemsMax = 5
const itemWordsMax = 7

export const trimPunctuation = (text: string) =>
  beginning(text.replace(/^[^\p{L}\p{N}$€£¥]+/u, ''), /^.*[\p{L}\p{N}%]\p{M}*/su)
/** Without closing punctuation, except question marks. */
const asHeading = (text: string) => beginning(text, /^.*[^\s.,;:–—、，；：。।]/su)
/** Trims the end in linear time: a pattern with `+$` backtracks at every character of a long run. */
const beginning = (text: string, pattern: RegExp) => pattern.exec(text)?.[0] ?? ''
/** Without quotation marks that have no partner. */
const withoutStrayMarks = (text: string) =>
  (text.match(/["“”„«»]/gu) ?? []).length % 2 === 1 ? text.replace(/["“”„«»]/gu, '') : text
const capitalised = (text: string) => text.replace(/^\p{L}/u, (letter) => letter.toLocaleUpperCase())

const sentencesIn = (text: string) => text.split(/(?<=[.!?。！？।]['"”»’]?)\s+/u)

/** The items of an enumeration that are short enough for a list. Clauses only count after a colon. */
export function enumeratedItems(text: string): string[] {
  const [lead, rest] = leadOf(text)
  return lead || phrasePatterns.lastItem.test(rest) ? enumeratedParts(rest) : []
}

/** The parts between commas; events, where the text names times. */
export function enumeratedParts(text: string): string[] {
  if (sentencesIn(text).length > 1) return []
  const parts = text
    .replace(phrasePatterns.step, '')
    .split(phrasePatterns.separator)
    .map(trimPunctuation)
    .filter(Boolean)
  return parts.slice(1).every((part) => part.split(' ').length <= itemWordsMax) ? parts.slice(0, itemsMax) : []
}

/** The number of steps after a text with `before` steps before it; a first step restarts the count. */
export const stepsCountedAfter = (text: string, before: number) =>
  sentencesIn(text).reduce(
    (count, sentence) =>
      phrasePatterns.firstStep.test(sentence) ? 1 : phrasePatterns.step.test(sentence) ? count + 1 : count,
    before,
  )

/**
 * Whether a beat lists steps: several numbered sentences, or one sentence with all of them. An explanation of one step
 * does not count.
 */
export function hasSteps(text: string): boolean {
  const [first = '', ...more] = sentencesIn(text)
  return (
    phrasePatterns.step.test(first) &&
    (more.length === 0 || more.some((sentence) => phrasePatterns.step.test(sentence)))
  )
}

/** The sentences of a beat, or the clauses of a single sentence, without the words that number them. */
export function stepsOf(text: string): string[] {
  const sentences = sentencesIn(text)
  const parts = sentences.length > 1 ? sentences : text.replace(phrasePatterns.step, '').split(/[,;:、，；：]\s*/u)
  return parts
    .map((part) => trimPunctuation(part.replace(phrasePatterns.step, '')))
    .filter(Boolean)
    .slice(0, itemsMax)
}

/** The longest figure, with its sign and its unit. Years are dates, not figures. */
export function figureIn(text: string): string {
  const figures = (text.match(new RegExp(phrasePatterns.number, 'giu')) ?? []).filter(
    (figure) => !/^(?:1[5-9]|20)\d\d$/.test(figure),
  )
  return figures.reduce((longest, figure) => (figure.length > longest.length ? figure : longest), '')
}

/** Whether a figure has a currency or a unit: a number that means something alone. */
export const hasAmount = (figure: string) => /\d/.test(figure) && !/^\d+(?:[.,]\d+)*$/.test(figure)

/** From the first opening mark to the last closing one; anchored, so that a text is read once. */
const quotation = /^[^"“„«]*["“„«](.+)["”»]/su

/** The text between quotation marks, if it makes up most of the words; a title or a term in quotes does not. */
export function quotationIn(text: string): string | undefined {
  const quoted = quotation.exec(text)?.[1]?.trim()
  const count = (words: string) => words.split(/\s+/).length
  return quoted && count(quoted) >= 4 && count(quoted) >= count(text) / 2 ? quoted : undefined
}

const year = /(?<![\p{L}\p{N}$€£¥.,])(?:1[5-9]\d\d|20\d\d)(?![\p{L}\p{N}%])/u

/** Clauses and sentences with a year each, in spoken order; none unless every one but the first has a year. */
export function datedEvents(text: string): string[] {
  const clauses = text
    .split(
      /(?<=[.!?。！？।]['"”»’]?)\s+|[;；]\s*|,\s+(?=(?:(?:and|then|but|und|dann|y|luego|et|puis|e|poi)\s+)*(?:then\s+)?(?:(?:in|by|since|im|en|nel|em|vers)\s+)?(?:1[5-9]\d\d|20\d\d)(?![\p{L}\p{N}%]))/iu,
    )
    .map((clause) => trimPunctuation(clause.replace(/^(?:and|then|und|dann|y|et|e)\s+(?!\s)(?=.*\d)/iu, '')))
    .filter(Boolean)
  const dated = clauses.filter((clause) => year.test(clause))
  return dated.length >= 2 && clauses.slice(1).every((clause) => year.test(clause)) ? dated.slice(0, itemsMax) : []
}

/** The words after the figure, where there are at least two; otherwise its whole sentence. */
function labelOf(figure: string, text: string): string {
  const sentence = sentencesIn(text).find((one) => one.includes(figure)) ?? text
  const after = asHeading(sentence.slice(sentence.indexOf(figure) + figure.length)).trim()
  return after.split(/\s+/).length >= 2
    ? after
    : capitalised(trimPunctuation(asHeading(sentence).replace(phrasePatterns.step, '')))
}

/** Splits at the colon of "You need three things: water, light and a plan". */
function leadOf(text: string): [lead: string, rest: string] {
  const [lead = '', rest = ''] = text.replace(phrasePatterns.step, '').split(/[:：]\s*/u, 2)
  return trimPunctuation(lead) && enumeratedParts(rest).length >= 2 ? [trimPunctuation(lead), rest] : ['', text]
}

/** The two sides of a contrast: "A but B", or "Instead of A, B". */
export function contrastSides(text: string): [string, string] | undefined {
  const at = phrasePatterns.contrast.exec(text)
  if (!at) return undefined
  const before = trimPunctuation(text.slice(0, at.index))
  const after = text.slice(at.index + at[0].length)
  const [first = '', second = ''] = after.split(/[,，、]\s*(.*)/su)
  const sides: [string, string] = before
    ? [before, trimPunctuation(after)]
    : [trimPunctuation(first), trimPunctuation(second)]
  return sides.every((side) => side.length > 6) ? sides : undefined
}

/** The call to action, for a button; a question counts as one. */
const callIn = (text: string) => {
  const clauses = sentencesIn(text).flatMap((sentence) =>
    sentence.replace(phrasePatterns.step, '').split(phrasePatterns.separator),
  )
  return capitalised(clauses.map(trimPunctuation).find((clause) => phrasePatterns.call.test(clause)) ?? '')
}

/** Long words that carry no meaning alone. */
const emptyWords = /^(?:already|every\w+|any\w+|some\w+|nothing|nobody|another|because|always|\w+ever|\w+ly)$/

/** Type of the visual per template. */
export const visualTypes: Record<Template, string> = {
  heroTitle: 'title',
  flowSteps: 'steps',
  bulletList: 'bullets',
  bigNumber: 'counter',
  quote: 'quoteMark',
  comparison: 'columns',
  timeline: 'axis',
  imageFull: 'image',
  callToAction: 'button',
}

export function planSlide(template: Template, beat: Beat, asset: Asset | undefined): SlidePlan {
  const { content, items } = contentOf(template, beat, asset)
  const emphasis = emphasisOf(template, beat)
  return {
    emphasis,
    visual: { type: visualTypes[template], items: items.length, anchors: anchorsOf(items, beat.text) },
    content,
  }
}

const wordsOf = (text: string) => text.split(/\s+/).map(trimPunctuation).filter(Boolean)

/**
 * For each item its first word that does not occur earlier: the renderer searches each anchor after the previous one.
 */
function anchorsOf(items: readonly string[], text: string): string[] {
  const spoken = wordsOf(text.toLowerCase())
  let from = 0
  return items
    .map((item) => {
      const words = wordsOf(item)
      const isAt = (at: number) => at >= from && words.every((word, i) => spoken[at + i] === word.toLowerCase())
      const begin = spoken.findIndex((_, at) => isAt(at))
      const own = words.findIndex((word, i) => spoken.indexOf(word.toLowerCase(), from) === begin + i)
      if (begin >= 0) from = begin + Math.max(own, 0) + 1
      return words[begin < 0 ? 0 : Math.max(own, 0)] ?? ''
    })
    .filter(Boolean)
}

/** The figure of a `bigNumber`; otherwise the longest keyword, in its original spelling. */
function emphasisOf(template: Template, { text, words }: Beat): string {
  if (template === 'bigNumber') return figureIn(text)
  const shown = template === 'heroTitle' ? sentencesIn(text)[0]! : text
  const keywords = extractKeywords(shown.replace(phrasePatterns.step, ''), 4).toSorted((a, b) => b.length - a.length)
  const keyword = keywords.find((word) => !emptyWords.test(word)) ?? keywords[0]
  // A unit says nothing without its figure.
  const figure = figureIn(shown)
  if (keyword && hasAmount(figure) && figure.toLowerCase().split(' ').includes(keyword)) return figure
  return words.map((word) => trimPunctuation(word.text)).find((word) => word.toLowerCase() === keyword) ?? ''
}

/** `items` appear one after the other. */
function contentOf(
  template: Template,
  { text }: Beat,
  asset: Asset | undefined,
): Pick<SlidePlan, 'content'> & { items: string[] } {
  const line = capitalised(asHeading(text))
  switch (template) {
    case 'heroTitle': {
      const [title = '', ...rest] = sentencesIn(text)
      const subtitle = capitalised(asHeading(rest.join(' ')))
      return { content: { title: capitalised(asHeading(title)), ...(subtitle && { subtitle }) }, items: [] }
    }
    case 'quote':
      return {
        content: { quote: withoutStrayMarks(asHeading(quotation.exec(text)?.[1] ?? line)) },
        items: [],
      }
    case 'callToAction':
      return { content: { line, button: callIn(text) }, items: [] }
    case 'imageFull':
      return { content: { caption: line, prompt: text, imageUrl: asset?.url ?? null }, items: extractKeywords(text, 1) }
    case 'bigNumber': {
      const figure = figureIn(text)
      return {
        content: { value: figure.replace(phrasePatterns.percent, '%'), label: labelOf(figure, text) },
        items: [figure],
      }
    }
    case 'comparison': {
      const [left = '', right = ''] = (contrastSides(text) ?? [text]).map(capitalised)
      return { content: { left, right }, items: [left, right] }
    }
    case 'flowSteps': {
      const steps = stepsOf(text)
      return { content: { steps: steps.map(capitalised) }, items: steps }
    }
    case 'bulletList':
    case 'timeline': {
      const dated = template === 'timeline' ? datedEvents(text) : []
      if (dated.length >= 2) return { content: { events: dated.map(capitalised) }, items: dated }
      const [lead, rest] = leadOf(text)
      const points = enumeratedParts(rest)
      const listed = { [template === 'timeline' ? 'events' : 'points']: points.map(capitalised) }
      return { content: { ...(lead && { title: capitalised(lead) }), ...listed }, items: points }
    }
  }
}
