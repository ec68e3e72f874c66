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
  /** "Half", "a third": a part of a chart, but too little to fill a picture. */
  isFraction?: true
  /** "2 hours and 40 minutes" is one span of time. */
  isCompound?: true
}

/** Fractions in words, in percent. */
const fractions: Record<string, number> = {
  half: 50,
  'a third': 100 / 3,
  'one third': 100 / 3,
  'two thirds': 200 / 3,
  'a quarter': 25,
  'one quarter': 25,
  'three quarters': 75,
  'a fifth': 20,
  'one fifth': 20,
  'a tenth': 10,
  'one tenth': 10,
  'die hälfte': 50,
  'ein drittel': 100 / 3,
  'zwei drittel': 200 / 3,
  'ein viertel': 25,
  'drei viertel': 75,
  'ein fünftel': 20,
  'la mitad': 50,
  'un tercio': 100 / 3,
  'dos tercios': 200 / 3,
  'un cuarto': 25,
  'la moitié': 50,
  'un tiers': 100 / 3,
  'deux tiers': 200 / 3,
  'un quart': 25,
}
/** Half an hour and two and a half are no shares. */
const fractionPattern = new RegExp(
  `(?<![\\p{L}\\p{N}])(?<!\\sand\\sa\\s)(${Object.keys(fractions).join('|')})(?=\\s(?:of|for|to|in|on|into|goes|go|is|are|was|were|für|in|der|des|von|para|de|del|pour|du|des|à)\\s|\\s?[,;:.])`,
  'giu',
)

/** Words that end a label: what follows belongs to another statement. */
const labelEnd =
  /[!?;:…]|[.,](?!\d)|\s(?:and|but|while|because|so|which|that|when|und|aber|weil|y|pero|et|mais)\s|\s(?:doubles?|grows?|becomes?|rises?|falls?|turns?|gives?|means|makes?|needs?|takes?)(?:\s|$)/iu
const functionWords =
  'of the a an in on at to for with by from is are was were it they you than as or its their every each had has have can could will would did do does be been took says said means and but so that which then about now only just becomes become became around per under during against some about nearly almost roughly der die das den des von im am zu mit de la el los las en del que y le les du des et un une di il che e do da no na o os'
const functionWord = `\\s(?:${functionWords.replaceAll(' ', '|')})`
const trailing = new RegExp(`(?<!${functionWord})(?:${functionWord})+$`, 'iu')
const isFunctionWord = (word: string) => trailing.test(` ${word}`)
const withoutTrailing = (words: string) => ` ${words}`.replace(trailing, '').trim()
/** The smaller unit of a span of time, after its larger one. */
const smallerUnit =
  /^\s(?:hours?|days?|weeks?|months?|years?)\sand\s\d{1,2}\s(?:minutes?|hours?|days?|weeks?|months?)\b/i
const largerUnitBefore = /\d\s(?:hours?|days?|weeks?|months?|years?)\sand\s$/i
const unitAfter = /^\s(?:minutes?|hours?|days?|weeks?|months?)\b/i
/** A clock time or a day of a month counts nothing. */
const monthAfter =
  /^\s(?:January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|de\s(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)/u

/** "seven out of ". */
const rangeLengthMax = 13
/** "A list of 20 tells you": what follows the number is not what it counts. */
const verbPhrase = /^\p{L}+s\s(?:you|me|us|them|him|it)(?!\p{L})/iu

/** Far more than the words of a label: figures without an end of a label between them are read once each. */
const labelLengthMax = 300

/** The figures of a text in digits, in order, without years. */
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
      /^\s(?:BCE?|AD|CE)\b/.test(text.slice(to)) ||
      /^:\d/.test(text.slice(to)) ||
      /\d:$/.test(text.slice(Math.max(0, from - 2), from))
    const before = text.slice(Math.max(0, from - 12), from)
    const isSmallerPart = largerUnitBefore.test(before) && unitAfter.test(text.slice(to))
    if (isYear || isDate || isSmallerPart || !Number.isFinite(value)) return []
    // "2 to 4 million" is one figure, and so are "1 in 10" and "nine out of 10".
    const range =
      /(?<![\p{L}\p{N}])(?:\d[\d.,]{0,6}\s(?:to|or|bis|oder)|(?:\d|one|two|three|four|five|six|seven|eight|nine)\s(?:in|(?:out\s)?of))\s$/iu.exec(
        text.slice(Math.max(0, from - rangeLengthMax), from),
      )?.[0] ?? ''
    const compound = smallerUnit.exec(text.slice(to))?.[0].trim()
    const words = labelWords(text, to)
    const next = words.findIndex((word) => /^[$€£¥₹]/.test(word))
    const label = withoutTrailing(words.slice(0, next < 0 ? 5 : Math.max(0, next - 1)).join(' '))
    const unit =
      currency.trim() ||
      share.trim().replace(/percent|per cent|prozent/i, '%') ||
      named.trim().toLowerCase() ||
      (words[0] ?? '').toLowerCase().replace(/s$/, '')
    return [
      {
        text: range + whole.trim(),
        value,
        label: compound ?? label,
        unit,
        from,
        to,
        ...(compound && { isCompound: true as const }),
      },
    ]
  })
}

/** The words after a figure, up to the end of its label. */
function labelWords(text: string, from: number): string[] {
  const rest = text.slice(from, from + labelLengthMax)
  if (verbPhrase.test(rest.trimStart())) return []
  const end = rest.search(labelEnd)
  return (end < 0 ? rest : rest.slice(0, end)).trim().split(/\s+/).filter(Boolean)
}

const fractionsOf = (text: string): FoundFigure[] =>
  [...text.matchAll(fractionPattern)].map((match): FoundFigure => {
    const [whole] = match
    const [from, to] = [match.index, match.index + whole.length]
    const label = withoutTrailing(labelWords(text, to).slice(0, 5).join(' '))
    return { text: whole.trim(), value: fractions[whole.toLowerCase()]!, label, unit: '%', from, to, isFraction: true }
  })

/** `1,500` and `1.500` are thousands, `1,5` and `1.5` are not. */
function numberIn(digits: string): number {
  if (/^\d{1,3}(?:[,. \u00a0\u202f]\d{3})+$/.test(digits)) return Number(digits.replace(/\D/g, ''))
  return Number(digits.replace(',', '.'))
}

const plain = ({ text, value, label }: FoundFigure): PictureFigure => ({ text, value, label })

/**
 * Two or more different figures of one unit: a chart. `sentence`: a whole one, because a part of it may lack a figure or
 * the end of a label. Undefined where a label is missing, doubled or doubtful: a wrong chart is worse than none.
 */
export function chartFiguresOf(sentence: string): PictureFigure[] | undefined {
  const figuresByUnit = new Map<string, FoundFigure[]>()
  for (const figure of [...figuresOf(sentence), ...fractionsOf(sentence)].toSorted((a, b) => a.from - b.from)) {
    const same = figuresByUnit.get(figure.unit) ?? []
    figuresByUnit.set(figure.unit, same)
    same.push(figure)
  }
  for (const [unit, figures] of figuresByUnit) {
    const values = figures.map(({ value }) => value)
    const isSeries = figures.length >= 2 && figures.length <= 5 && new Set(values).size === figures.length
    if (!unit || !isSeries || !isComparable(values)) continue
    const labels = chartLabels(sentence, figures)
    if (labels) return figures.map((figure, index) => ({ ...plain(figure), label: labels[index]! }))
  }
  return undefined
}

/** Two figures far apart are a whole and its part ("$100 grows by $10"), not two of a kind; three are a series. */
const isComparable = (values: readonly number[]): boolean =>
  values.length > 2 || Math.max(...values) <= 5 * Math.min(...values)

const barWordsMax = 4

/**
 * What sets the bars apart: the words after every figure, or the subject before every figure. A series in time may begin
 * with a figure without a label.
 */
function chartLabels(text: string, figures: readonly FoundFigure[]): string[] | undefined {
  const after = figures.map(({ label, unit }) => {
    const words = label.split(' ').filter(Boolean)
    return words[0]?.toLowerCase().replace(/s$/, '') === unit ? words.slice(1) : words
  })
  const labels = after.map((words) => withoutTrailing(withoutLeading(words).slice(0, barWordsMax).join(' ')))
  const later = labels.slice(1)
  const isStart = after[0]!.length === 0 && later.every((label) => /\d/.test(label))
  if (areParallel(isStart ? after.slice(1) : after) && areDistinct(isStart ? later : labels)) return labels
  if (isProgression(text, figures)) return figures.map(() => '')
  const before = figures.map(({ from }, index) => subjectBefore(text.slice(figures[index - 1]?.to ?? 0, from)))
  return areDistinct(before) ? before : undefined
}

/** "$100 becomes $110, then $121": one thing at several times, which needs no labels. */
const isProgression = (text: string, figures: readonly FoundFigure[]): boolean =>
  figures.length > 2 &&
  figures.slice(1).every(({ from, value }, index) => {
    const before = figures[index]!
    const between = text.slice(before.to, from)
    return (
      value > before.value &&
      between.length <= 40 &&
      /\b(?:then|becomes?|to|into|dann|wird|luego|puis)\b/i.test(between)
    )
  })

/** "For needs, for wants" and "nitrogen, oxygen" are said of the same kind; "of his Bible, survive in part" are not. */
const areParallel = (labels: readonly (readonly string[])[]): boolean =>
  labels.every(([first]) => first !== undefined && first === labels[0]![0]) ||
  labels.every((words) => words.length > 0 && words.length <= 2 && !isFunctionWord(words[0]!))

const areDistinct = (labels: readonly string[]): boolean =>
  labels.every(Boolean) && new Set(labels.map((label) => label.toLowerCase())).size === labels.length

/** "For wants" is about wants; "after 10 years" needs its word. */
const withoutLeading = (words: readonly string[]): string[] => {
  const from = words.findIndex(
    (word) => !/^(?:for|of|are|is|was|were|goes|go|für|para|pour|de|del|der|des|du)$/i.test(word),
  )
  return from < 0 ? [] : words.slice(from)
}

const predicate = /^(?:is|are|was|were|has|have|had|gets?|lasts?|weighs?|needs?|holds?|lives?|sleeps?|runs?|reaches?)$/i

/** "Cats sleep 16 hours, dogs": up to three words, right before a figure or its verb, and no more in their clause. */
function subjectBefore(between: string): string {
  const clause = between
    .slice(-labelLengthMax)
    .split(/[.!?;:,]|\s(?:and|but|while|und|aber|y|pero|et|mais)\s/i)
    .at(-1)!
  const words = clause.trim().split(/\s+/).filter(Boolean)
  while (words.length > 0 && (predicate.test(words.at(-1)!) || isFunctionWord(words.at(-1)!))) words.pop()
  while (words.length > 0 && isFunctionWord(words[0]!)) words.shift()
  return words.length <= 3 ? words.join(' ') : ''
}

/**
 * One figure that is worth a picture: an amount, a share or a number of two digits and more, always with what it counts.
 * `continued`: what is spoken after the text, for the label.
 */
export function counterFigureOf(text: string, continued = ''): PictureFigure | undefined {
  const worthy = figuresOf(`${text} ${continued}`).filter(
    ({ text: shown, value, label, from, isCompound }) =>
      from < text.length &&
      label !== '' &&
      (isCompound ||
        /[$€£¥₹]/.test(shown) ||
        ((value >= 10 || /%|percent|million|billion|thousand/i.test(shown)) && !isFunctionWord(label.split(' ')[0]!))),
  )
  const [best] = worthy.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value))
  if (!best) return undefined
  // "390 billion trees of some 16,000 species": the second figure is no part of the label.
  const label = best.isCompound ? best.label : withoutTrailing(best.label.replace(/\s\d.*$/, ''))
  return { ...plain(best), label }
}

const measure =
  /^(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centur(?:y|ies)|(?:milli|centi|kilo)?met(?:re|er)s?|miles?|inch(?:es)?|lit(?:re|er)s?|(?:kilo)?grams?|tonnes?)$/i
const dayAndYear =
  /\b(?:(\d{1,2}\s\p{Lu}\p{Ll}+|\p{Lu}\p{Ll}+\s\d{1,2},)\s)?((?:1[0-9]|20)\d\d)(?![\p{L}\p{N}-]|\s\p{Ll}+s\b)/u

/** Numbers of fewer digits are years by the words around them: "2600 BC", "died in 395", "between 235 and 284". */
const eraYear = /\b(\d{1,4})\s(BCE?|CE|AD)\b/
const earlyYear = /(?<!\b(?:\d{1,4}|one|all)\s)\b(?:in|since|until)\s([1-9]\d\d)(?=$|[,.;])/i
const betweenYears = /\bbetween\s([1-9]\d{2,3})\sand\s([1-9]\d{2,3})(?=$|[,.;])/i

/** The year or the measure of a text that names nothing else: "In 1796 Edward Jenner", "6 weeks", "2.4 metres". */
export function yearOrMeasureOf(text: string): PictureFigure | undefined {
  const [span, first, last] = betweenYears.exec(text) ?? []
  if (span) return { text: `${first}–${last}`, value: Number(first), label: '' }
  const [, day, year] = dayAndYear.exec(text) ?? []
  if (year) return { text: year, value: Number(year), label: day?.replace(',', '') ?? '' }
  const [, number, era] = eraYear.exec(text) ?? []
  if (era) return { text: `${number} ${era}`, value: Number(number) * (era.startsWith('B') ? -1 : 1), label: '' }
  const [, early] = earlyYear.exec(text) ?? []
  if (early) return { text: early, value: Number(early), label: '' }
  // Of "or 3 years" the other figure was spoken before.
  const measured = figuresOf(text).find(
    ({ label, from }) => measure.test(label.split(' ')[0]!) && !/(?:^|\s)(?:or|to|and)\s$/i.test(text.slice(0, from)),
  )
  return measured && plain(measured)
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
