/** What stands on the slide of each template, taken from what is said. */
import type { Brief } from '../../domain/brief.ts'
import { keywordsOf } from '../../domain/keywords.ts'
import type { Template } from '../../domain/timelines/presentation.ts'
import type { Beat } from './beats.ts'
import { cues } from './cues.ts'

type Asset = Brief['presentationAssets'][number]

export interface Slide {
  emphasis: string
  visual: { type: string; items: number; anchors: string[] }
  content: Record<string, unknown>
}

const itemsMax = 5
const itemWordsMax = 7

export const bare = (text: string) => text.replace(/^[^\p{L}\p{N}$€£¥]+|[^\p{L}\p{N}%]+$/gu, '')
/** Without the marks that close it, but with those that ask. */
const asHeading = (text: string) => text.replace(/[\s.,;:–—、，；：。]+$/u, '')
const capitalised = (text: string) => text.replace(/^\p{L}/u, (letter) => letter.toLocaleUpperCase())

const sentencesIn = (text: string) => text.split(/(?<=[.!?。！？]['"”»’]?)\s+/u)

/** The parts of an enumeration, where all of them are short enough to be points of a list. */
export function itemsOf(text: string): string[] {
  if (sentencesIn(text).length > 1) return []
  const parts = text.replace(cues.step, '').split(cues.separator).map(bare).filter(Boolean)
  return parts.slice(1).every((part) => part.split(' ').length <= itemWordsMax) ? parts.slice(0, itemsMax) : []
}

/** Whether a beat tells steps: several sentences that count them, or one that has them all. What only explains a step is none. */
export function tellsSteps(text: string): boolean {
  const [first = '', ...more] = sentencesIn(text)
  return cues.step.test(first) && (more.length === 0 || more.some((sentence) => cues.step.test(sentence)))
}

/** The sentences of a beat or, where it has one only, its clauses; without the words that number them. */
export function stepsOf(text: string): string[] {
  const sentences = sentencesIn(text)
  const parts = sentences.length > 1 ? sentences : text.replace(cues.step, '').split(/[,;:、，；：]\s*/u)
  return parts
    .map((part) => bare(part.replace(cues.step, '')))
    .filter(Boolean)
    .slice(0, itemsMax)
}

/** Of several figures the one that says most: with its sign and its unit. A year is a date. */
export function figureIn(text: string): string {
  const figures = (text.match(new RegExp(cues.number, 'giu')) ?? []).filter(
    (figure) => !/^(?:1[5-9]|20)\d\d$/.test(figure),
  )
  return figures.reduce((most, figure) => (figure.length > most.length ? figure : most), '')
}

/** What the figure counts, where enough is said after it; else the whole line. */
function labelOf(figure: string, text: string): string {
  const after = asHeading(text.slice(text.indexOf(figure) + figure.length)).trim()
  return after.split(/\s+/).length >= 2 ? after : capitalised(asHeading(text))
}

/** What an enumeration is of: "You need three things: water, light and a plan". */
function leadOf(text: string): [lead: string, rest: string] {
  const [lead = '', rest = ''] = text.split(/[:：]\s*/u, 2)
  return rest && itemsOf(rest).length >= 2 ? [bare(lead), rest] : ['', text]
}

/** The two sides of a contrast: "A but B", or "Instead of A, B". */
export function sidesOf(text: string): [string, string] | undefined {
  const at = cues.contrast.exec(text)
  if (!at) return undefined
  const before = bare(text.slice(0, at.index))
  const after = text.slice(at.index + at[0].length)
  const [first = '', second = ''] = after.split(/[,，、]\s*(.*)/su)
  const sides: [string, string] = before ? [before, bare(after)] : [bare(first), bare(second)]
  return sides.every((side) => side.length > 6) ? sides : undefined
}

/** What the viewer is asked to do, for a button; a question asks for an answer. */
const callIn = (text: string) => {
  const clauses = sentencesIn(text).flatMap((sentence) => sentence.replace(cues.step, '').split(cues.separator))
  return capitalised(clauses.map(bare).find((clause) => cues.call.test(clause)) ?? '')
}

/** Long words that say nothing alone. */
const dull = /^(?:already|every\w+|any\w+|some\w+|nothing|nobody|another|because|always|\w+ever|\w+ly)$/

/** What each template draws. */
export const drawn: Record<Template, string> = {
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

export function slideFor(template: Template, beat: Beat, asset: Asset | undefined): Slide {
  const { content, items } = contentOf(template, beat, asset)
  const emphasis = emphasisOf(template, beat)
  const anchors = items.map((item) => bare(item.split(/\s+/)[0] ?? '')).filter(Boolean)
  return { emphasis, visual: { type: drawn[template], items: items.length, anchors }, content }
}

/** The figure where a figure is shown; else the longest word that says what it is about, as it is written there. */
function emphasisOf(template: Template, { text, words }: Beat): string {
  if (template === 'bigNumber') return figureIn(text)
  const shown = template === 'heroTitle' ? sentencesIn(text)[0]! : text
  const keywords = keywordsOf(shown.replace(cues.step, ''), 4).toSorted((a, b) => b.length - a.length)
  const keyword = keywords.find((word) => !dull.test(word)) ?? keywords[0]
  return words.map((word) => bare(word.text)).find((word) => word.toLowerCase() === keyword) ?? ''
}

/** `items` are what appears one after the other. */
function contentOf(
  template: Template,
  { text }: Beat,
  asset: Asset | undefined,
): Pick<Slide, 'content'> & { items: string[] } {
  const line = capitalised(asHeading(text))
  switch (template) {
    case 'heroTitle': {
      const [title = '', ...rest] = sentencesIn(text)
      const subtitle = capitalised(asHeading(rest.join(' ')))
      return { content: { title: capitalised(asHeading(title)), ...(subtitle && { subtitle }) }, items: [] }
    }
    case 'quote':
      return { content: { quote: asHeading(/["“„«](.+)["”»]/su.exec(text)?.[1] ?? line) }, items: [] }
    case 'callToAction':
      return { content: { line, button: callIn(text) }, items: [] }
    case 'imageFull':
      return { content: { caption: line, prompt: text, imageUrl: asset?.url ?? null }, items: keywordsOf(text, 1) }
    case 'bigNumber': {
      const figure = figureIn(text)
      return { content: { value: figure.replace(cues.percent, '%'), label: labelOf(figure, text) }, items: [figure] }
    }
    case 'comparison': {
      const [left = '', right = ''] = (sidesOf(text) ?? [text]).map(capitalised)
      return { content: { left, right }, items: [left, right] }
    }
    case 'flowSteps': {
      const steps = stepsOf(text)
      return { content: { steps: steps.map(capitalised) }, items: steps }
    }
    case 'bulletList':
    case 'timeline': {
      const [lead, rest] = leadOf(text)
      const points = itemsOf(rest)
      const listed = { [template === 'timeline' ? 'events' : 'points']: points.map(capitalised) }
      return { content: { ...(lead && { title: capitalised(lead) }), ...listed }, items: points }
    }
  }
}
