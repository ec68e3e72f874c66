/** Numbers, dates and quotations in spoken text, for charts, counters, timelines and quote cards. */
import type { PictureFigure } from './picture-scene.ts'

const magnitudes: Record<string, number> = {
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
  mil: 1e3,
  millionen: 1e6,
  millones: 1e6,
  millions: 1e6,
  milliards: 1e9,
  milliarden: 1e9,
}
const numberPattern =
  /(?<![\p{L}\p{N}.,])([$€£¥₹]\s?)?(\d{1,3}(?:[,. \u00a0\u202f]\d{3})+(?!\d)|\d+(?:[.,]\d+)?)(\s?(?:%|percent|per cent|prozent|por ciento|pour cent))?(?:\s(thousand|million|billion|trillion|millionen|millones|millions|milliarden|milliards))?(\s?(?:%|percent|dollars|euros|pounds|degrees))?/giu

interface FoundFigure extends PictureFigure {
  /** What it is counted in: figures of one chart have the same. */
  unit: string
  from: number
  to: number
}

/** Words that end a label: what follows belongs to another statement. */
const labelEnd = /[.!?;:…,]|\s(?:and|but|while|because|so|which|that|when|und|aber|weil|y|pero|et|mais)\s/iu
const trailing =
  /(?:\s(?:of|the|a|an|in|on|at|to|for|with|by|from|is|are|was|were|it|they|you|than|as|or|its|their|every|each|der|die|das|de|la|el|le|du))+$/iu

/** The figures of a text, in order, without years. */
export function figuresOf(text: string): FoundFigure[] {
  return [...text.matchAll(numberPattern)].flatMap((match): FoundFigure[] => {
    const [whole, currency = '', digits, share = '', magnitude = '', named = ''] = match
    const from = match.index
    const to = from + whole.length
    const value = numberIn(digits!) * (magnitudes[magnitude.toLowerCase()] ?? 1)
    const isYear = /^(?:1[0-9]|20)\d\d$/.test(digits!) && !currency && !share && !magnitude && !named
    if (isYear || !Number.isFinite(value)) return []
    const rest = text.slice(to)
    const end = rest.search(labelEnd)
    const words = (end < 0 ? rest : rest.slice(0, end)).trim().split(/\s+/).filter(Boolean)
    const next = words.findIndex((word) => /^[$€£¥₹]/.test(word))
    const label = words
      .slice(0, next < 0 ? 5 : Math.max(0, next - 1))
      .join(' ')
      .replace(trailing, '')
    const unit =
      currency.trim() ||
      share.trim().replace(/percent|per cent|prozent/i, '%') ||
      named.trim().toLowerCase() ||
      (words[0] ?? '').toLowerCase().replace(/s$/, '')
    return [
      {
        text: whole.trim(),
        value,
        label: trailing.test(` ${label}`) && words.length === 1 ? '' : label,
        unit,
        from,
        to,
      },
    ]
  })
}

/** `1,500` and `1.500` are thousands, `1,5` and `1.5` are not. */
function numberIn(digits: string): number {
  if (/^\d{1,3}(?:[,. \u00a0\u202f]\d{3})+$/.test(digits)) return Number(digits.replace(/\D/g, ''))
  return Number(digits.replace(',', '.'))
}

const plain = ({ text, value, label }: FoundFigure): PictureFigure => ({ text, value, label })

/** Two or more different figures of one unit: a chart. */
export function chartFiguresOf(text: string): PictureFigure[] | undefined {
  const figures = figuresOf(text)
  for (const { unit } of figures) {
    const same = figures.filter((figure) => figure.unit === unit)
    const values = new Set(same.map(({ value }) => value))
    if (values.size < 2 || !unit) continue
    const distinct = same
      .filter((figure, index) => same.findIndex(({ value }) => value === figure.value) === index)
      .slice(0, 5)
    const labels = distinct.map((figure, index) => labelOfBar(text, figure, distinct[index - 1]))
    return distinct.map((figure, index) => ({ ...plain(figure), label: labels[index]! }))
  }
  return undefined
}

/** What sets a bar apart: the words after its unit, else those before the figure. */
function labelOfBar(text: string, { label, from }: FoundFigure, before: FoundFigure | undefined): string {
  const own = label.split(' ').slice(0, 4).join(' ').replace(trailing, '')
  if (own && !trailing.test(` ${own}`)) return own
  const words = text
    .slice(before?.to ?? 0, from)
    .split(/[.!?;:,]/)
    .at(-1)!
    .trim()
    .split(/\s+/)
  return words
    .slice(-3)
    .join(' ')
    .replace(trailing, '')
    .replace(/^(?:and|or|the|a|to|of|und|y|et)\s/i, '')
}

/** One figure that is worth a picture: an amount, a share or a number of two digits and more, with what it counts. */
export function counterFigureOf(text: string): PictureFigure | undefined {
  const worthy = figuresOf(text).filter(
    ({ text: shown, value, label }) =>
      /[$€£¥₹%]|percent|million|billion|thousand/i.test(shown) || (value >= 10 && label !== ''),
  )
  const [best] = worthy.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value))
  return best && plain(best)
}

const yearPattern =
  /\b(?:in|since|by|until|around|im jahr|en|em|nel)?\s?\b((?:1[0-9]|20)\d\d|\d{1,4}\s(?:BC|BCE|AD|v\. Chr\.|a\. C\.))\b/giu

/** Dated clauses in order; undefined for fewer than two. */
export function timelineFiguresOf(text: string): PictureFigure[] | undefined {
  const clauses = text.split(/(?<=[.!?;,])\s+|\s(?:and|und|y|et)\s(?=in\s|im\s|en\s)/u)
  const events = clauses.flatMap((clause): PictureFigure[] => {
    const [date] = clause.matchAll(yearPattern)
    if (!date) return []
    const year = date[1]!
    const label = clause
      .replace(date[0], ' ')
      .replace(/[.,;!?]/g, '')
      .trim()
      .replace(/^(?:and|then|und|y|et)\s/i, '')
      .split(/\s+/)
      .slice(0, 7)
      .join(' ')
      .replace(trailing, '')
    const value = Number.parseInt(year, 10) * (/BC|v\. Chr|a\. C/.test(year) ? -1 : 1)
    return label ? [{ text: year, value, label }] : []
  })
  return new Set(events.map(({ value }) => value)).size >= 2 ? events.slice(0, 4) : undefined
}

/** The words of a quotation of four words and more. */
export function quotationOf(text: string): string | undefined {
  const quoted = /[“«„"]([^“”«»„"]{12,160})[”»“"]/u.exec(text)?.[1]?.trim()
  return quoted && quoted.split(/\s+/).length >= 4 ? quoted : undefined
}
