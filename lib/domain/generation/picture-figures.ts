/** Numbers, dates and quotations in spoken text, for charts, counters, timelines and quote cards. */
import type { PictureFigure } from './picture-scene.ts'

const magnitudes: Record<string, number> = {
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
  quadrillion: 1e15,
  mil: 1e3,
  millionen: 1e6,
  millones: 1e6,
  millions: 1e6,
  milliards: 1e9,
  milliarden: 1e9,
}
const numberPattern =
  /(?<![\p{L}\p{N}.,])([$€£¥₹]\s?)?(\d{1,3}(?:[,. \u00a0\u202f]\d{3})+(?!\d)|\d+(?:[.,]\d+)?)(\s?(?:%|percent|per cent|prozent|por ciento|pour cent))?(?:\s(thousand|million|billion|trillion|quadrillion|millionen|millones|millions|milliarden|milliards))?(\s?(?:%|percent|dollars|euros|pounds|degrees))?/giu

interface FoundFigure extends PictureFigure {
  /** What it is counted in: figures of one chart have the same. */
  unit: string
  from: number
  to: number
}

/** Words that end a label: what follows belongs to another statement. */
const labelEnd =
  /[.!?;:…,]|\s(?:and|but|while|because|so|which|that|when|und|aber|weil|y|pero|et|mais)\s|\s(?:doubles?|grows?|becomes?|rises?|falls?|turns?|gives?|means|makes?|needs?|takes?)(?:\s|$)/iu
const functionWords =
  'of the a an in on at to for with by from is are was were it they you than as or its their every each had has have can could will would did do does be been took says said means and but so that which then about now only just becomes become became around per der die das den des von im am zu mit de la el los las en del que y le les du des et un une di il che e do da no na o os'
const functionWord = `\\s(?:${functionWords.replaceAll(' ', '|')})`
const trailing = new RegExp(`(?<!${functionWord})(?:${functionWord})+$`, 'iu')
const isFunctionWord = (word: string) => trailing.test(` ${word}`)
const withoutTrailing = (words: string) => ` ${words}`.replace(trailing, '').trim()
/** A clock time or a day of a month counts nothing. */
const monthAfter =
  /^\s(?:January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|de\s(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)/u

/** Far more than the words of a label: figures without an end of a label between them are read once each. */
const labelLengthMax = 300

/** The figures of a text, in order, without years. */
export function figuresOf(text: string): FoundFigure[] {
  return [...text.matchAll(numberPattern)].flatMap((match): FoundFigure[] => {
    const [whole, currency = '', digits, share = '', magnitude = '', named = ''] = match
    const from = match.index
    const to = from + whole.length
    const value = numberIn(digits!) * (magnitudes[magnitude.toLowerCase()] ?? 1)
    const isYear = /^(?:1[0-9]|20)\d\d$/.test(digits!) && !currency && !share && !magnitude && !named
    // 15th, 1950s.
    if (/^\p{L}/u.test(text.slice(to))) return []
    const isDate =
      monthAfter.test(text.slice(to)) ||
      /^:\d/.test(text.slice(to)) ||
      /\d:$/.test(text.slice(Math.max(0, from - 2), from))
    if (isYear || isDate || !Number.isFinite(value)) return []
    const rest = text.slice(to, to + labelLengthMax)
    const end = rest.search(labelEnd)
    const words = (end < 0 ? rest : rest.slice(0, end)).trim().split(/\s+/).filter(Boolean)
    const next = words.findIndex((word) => /^[$€£¥₹]/.test(word))
    const label = withoutTrailing(words.slice(0, next < 0 ? 5 : Math.max(0, next - 1)).join(' '))
    const unit =
      currency.trim() ||
      share.trim().replace(/percent|per cent|prozent/i, '%') ||
      named.trim().toLowerCase() ||
      (words[0] ?? '').toLowerCase().replace(/s$/, '')
    return [
      {
        text: whole.trim(),
        value,
        label,
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
  const figuresByUnit = new Map<string, Map<number, FoundFigure>>()
  for (const figure of figuresOf(text)) {
    const same = figuresByUnit.get(figure.unit) ?? new Map<number, FoundFigure>()
    figuresByUnit.set(figure.unit, same)
    if (!same.has(figure.value)) same.set(figure.value, figure)
  }
  for (const [unit, figureByValue] of figuresByUnit) {
    if (figureByValue.size < 2 || !unit || !isComparable([...figureByValue.keys()])) continue
    const distinct = [...figureByValue.values()].slice(0, 5)
    const labels = distinct.map((figure, index) => labelOfBar(text, figure, distinct[index - 1]))
    return distinct.map((figure, index) => ({ ...plain(figure), label: labels[index]! }))
  }
  return undefined
}

/** Two figures far apart are a whole and its part ("$100 grows by $10"), not two of a kind; three are a series. */
const isComparable = (values: readonly number[]): boolean =>
  values.length > 2 || Math.max(...values) <= 5 * Math.min(...values)

/** What sets a bar apart: the words after its unit, else those before the figure. */
function labelOfBar(text: string, { label, from }: FoundFigure, before: FoundFigure | undefined): string {
  const own = withoutTrailing(label.split(' ').slice(0, 4).join(' '))
  if (own) return own
  const clause = text
    .slice(before?.to ?? 0, from)
    .split(/[.!?;:,]/)
    .at(-1)!
  const words = withoutTrailing(clause.trim().split(/\s+/).slice(-3).join(' ')).split(' ')
  return words.every(isFunctionWord) ? '' : words.slice(words.findIndex((word) => !isFunctionWord(word))).join(' ')
}

/**
 * One figure that is worth a picture: an amount, a share or a number of two digits and more, with what it counts.
 * `continued`: what is spoken after the text, for the label.
 */
export function counterFigureOf(text: string, continued = ''): PictureFigure | undefined {
  const worthy = figuresOf(`${text} ${continued}`).filter(
    ({ text: shown, value, label, from }) =>
      from < text.length &&
      (/[$€£¥₹]/.test(shown) ||
        ((value >= 10 || /%|percent|million|billion|thousand/i.test(shown)) &&
          label !== '' &&
          !isFunctionWord(label.split(' ')[0]!))),
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
    const value = Number.parseInt(year, 10) * (/BC|v\. Chr|a\. C/.test(year) ? -1 : 1)
    const event = withoutTrailing(label)
    return /\p{L}\P{L}+\p{L}/u.test(event) ? [{ text: year, value, label: event }] : []
  })
  return new Set(events.map(({ value }) => value)).size >= 2 ? events.slice(0, 4) : undefined
}

/** The words of a quotation of four words and more. */
export function quotationOf(text: string): string | undefined {
  const quoted = /[“«„"]([^“”«»„"]{12,160})[”»“"]/u.exec(text)?.[1]?.trim()
  return quoted && quoted.split(/\s+/).length >= 4 ? quoted : undefined
}
