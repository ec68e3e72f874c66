/**
 * Rules of English speech for names, times, dates, telephone numbers and abbreviations: a table of patterns and what is
 * said. Years, decades, ordinals and percentages are absent, since the engines read them well. A rule must not change
 * text that engines already read correctly.
 */

/** The word of a script with the words around it; empty at its ends. */
export interface WordContext {
  before: string
  next: string
}

/** A short rest inside a spoken form, as between the groups of a telephone number. */
export const groupRest = '\ue000'

interface Rule {
  /** Matches inside a word. The rules apply one after another. */
  pattern: RegExp
  /** `groups` are those of the pattern. */
  say: string | ((groups: string[], context: WordContext) => string)
}

/** Names that engines spell or misread; matched as whole words, capitals included. */
const names: Record<string, string> = {
  ChatGPT: 'Chat G P T',
  CO2: 'C O 2',
  'CO₂': 'C O 2',
  H2O: 'H 2 O',
  'H₂O': 'H 2 O',
  O2: 'O 2',
  TikTok: 'Tick Tock',
  LinkedIn: 'Linked In',
  iOS: 'eye O S',
  macOS: 'mac O S',
  'Wi-Fi': 'WiFi',
  B2B: 'B to B',
  B2C: 'B to C',
  'C#': 'C sharp',
  'C++': 'C plus plus',
  'COVID-19': 'Covid 19',
  vs: 'versus',
  'vs.': 'versus',
  'w/': 'with',
  'w/o': 'without',
  'e.g.': 'for example',
  'i.e.': 'that is',
  'approx.': 'approximately',
  'Prof.': 'Professor',
  'Mt.': 'Mount',
  'Jr.': 'Junior',
  'Sr.': 'Senior',
  'Ph.D.': 'P H D',
}

const months = 'January February March April May June July August September October November December'.split(' ')
/** Abbreviations before a figure: "No. 5", "Dec. 25". */
const beforeFigure: Record<string, string> = {
  no: 'number',
  nos: 'numbers',
  fig: 'figure',
  vol: 'volume',
  ch: 'chapter',
  pp: 'pages',
  ...Object.fromEntries(
    months.filter((month) => month !== 'May').map((month) => [month.slice(0, 3).toLowerCase(), month]),
  ),
  sept: 'September',
}
const numbered = /^(?:war|part|chapter|act|phase|type|level|volume|episode|season|super|bowl)$/i
const romans = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X']

const digits = (number: string) => [...number.replace(/\D/g, '')].join(' ')
const inGroups = (parts: readonly string[]) => parts.filter(Boolean).map(digits).join(groupRest)
const startsWithCapital = (word: string) => /^["'“‘(]?\p{Lu}/u.test(word)
const startsWithFigure = (word: string) => /^["'“‘(#]?\d/.test(word)
const bare = (word: string) => word.replace(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '')

/** "December 25th 2024", or nothing for an impossible date. The day comes first where only that is possible. */
function dateInWords(year: string, one: number, other: number): string | null {
  const [month, day] = one > 12 ? [other, one] : [one, other]
  const name = months[month - 1]
  if (!name || day < 1 || day > 31) return null
  return `${name} ${day}${ordinalEnding(day)} ${year}`
}

const ordinalEnding = (day: number) =>
  /^(?:1[123])$/.test(`${day}`) ? 'th' : (['', 'st', 'nd', 'rd'][day % 10] ?? 'th')

const escaped = (text: string) => text.replace(/[.+/]/g, String.raw`\$&`)
const [start, end] = [String.raw`(?<![\p{L}\p{N}])`, String.raw`(?![\p{L}\p{N}])`]
const rule = (pattern: string, say: Rule['say'], flags = 'u'): Rule => ({
  pattern: new RegExp(`${start}(?:${pattern})${end}`, `g${flags}`),
  say,
})

const rules: Rule[] = [
  // E-mail addresses, handles and a lone "@".
  rule(
    String.raw`(?<![\p{L}\p{N}._+-])([\p{L}\p{N}._+-]+)@([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)`,
    ([user = '', host = '']) =>
      `${user.replaceAll('.', ' dot ').replaceAll('_', ' underscore ').replaceAll('-', ' dash ')} at ${host.replaceAll('.', ' dot ')}`,
  ),
  { pattern: /(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}_]|$)/gu, say: 'at ' },
  { pattern: /(?<![\p{L}\p{N}&])#(?=\d)/gu, say: 'number ' },
  {
    pattern: /^#(\p{L}+)/gu,
    say: ([tag]) => tag!.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '),
  },
  // Telephone numbers: digits, with a rest after each group.
  rule(String.raw`(?:\+?(1)[-. ])?\(?([2-9]\d{2})\)?[-.](\d{3})[-.](\d{4})`, (found) => inGroups(found.slice(0, -1))),
  rule(String.raw`(\d{3})-(\d{4})`, (found) => inGroups(found.slice(0, -1))),
  rule(String.raw`\d{3}`, ([number = ''], { next }) =>
    /^\d{3}[-.]\d{4}\b/.test(next) ? digits(number) + groupRest : number,
  ),
  rule(String.raw`\+\d[\d-]{6,}`, ([number = '']) => `plus ${inGroups(number.split('-'))}`),
  rule(String.raw`\d{3,6}`, ([number = ''], { before }) =>
    /^(?:call|dial|text)$/i.test(before) && !/0{2}$/.test(number) ? digits(number) : number,
  ),
  // Dates and times.
  rule(
    String.raw`(\d{1,2})[/.](\d{1,2})[/.]([12]\d{3})`,
    ([one, other, year, all]) => dateInWords(year!, Number(one), Number(other)) ?? all!,
  ),
  rule(String.raw`([12]\d{3})-(\d{2})-(\d{2})`, ([year, month, day, all]) =>
    Number(month) > 12 ? all! : (dateInWords(year!, Number(month), Number(day)) ?? all!),
  ),
  rule(
    String.raw`(\d{1,2}(?::\d{2})?)([ap])\.?m(?:\.(?!\p{L}))?`,
    ([time, half]) => `${time!.replace(/:00$/, '')} ${half!.toUpperCase()} M`,
    'iu',
  ),
  rule(
    String.raw`([ap])\.?m(?:\.(?!\p{L}))?`,
    ([half, all], { before }) => (/\d$/.test(before) || /\./.test(all!) ? `${half!.toUpperCase()} M` : all!),
    'iu',
  ),
  rule(String.raw`(\d{1,2}):00`, ([hour, all], { next }) => (/^[ap]\.?m\b/i.test(next) ? hour! : all!)),
  // Abbreviations whose meaning depends on the next word.
  rule(String.raw`(Dr|St)\.?`, ([short], { next, before }) => {
    if (short === 'Dr') return startsWithCapital(next) ? 'Doctor' : 'Drive'
    return startsWithCapital(next) && !/^\p{Lu}.*\p{L}$/u.test(before) ? 'Saint' : 'Street'
  }),
  rule(
    String.raw`(\p{L}{2,4})\.`,
    ([short, all], { next }) => (startsWithFigure(next) && beforeFigure[short!.toLowerCase()]) || all!,
  ),
  rule('[IVX]+', ([roman], { before }) => {
    const value = romans.indexOf(roman!) + 1
    return value > 0 && numbered.test(before) ? `${value}` : roman!
  }),
  // Signs of sums and estimates.
  { pattern: /^~(?=\d)/g, say: 'about ' },
  { pattern: /^≈(?=\d|$)/g, say: 'about ' },
  { pattern: /^×$/g, say: 'times' },
  rule(String.raw`(\d+(?:\.\d+)?)[x×]`, ([count]) => `${count} times`),
  ...Object.entries(names).map(
    ([name, say]): Rule => ({
      pattern: new RegExp(`${start}${escaped(name)}${/[.#+/]$/.test(name) ? '(?!\\p{L})' : end}`, 'gu'),
      say,
    }),
  ),
]

/** Applies the table to a word of a script. */
export function applySpeechRules(raw: string, context: WordContext): string {
  const around = { before: bare(context.before), next: context.next }
  return rules.reduce(
    (text, { pattern, say }) =>
      text.replace(pattern, (all, ...found) => {
        if (typeof say === 'string') return say
        const captured = found.filter((value) => typeof value === 'string' || value === undefined).slice(0, -1)
        return say([...captured.map((value) => value ?? ''), all], around)
      }),
    raw,
  )
}
