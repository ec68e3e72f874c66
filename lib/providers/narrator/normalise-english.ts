/**
 * Text normalisation for English voices: money, fractions, ranges, signs and initials. Found by listening to flite,
 * which says "CEO" as one word, "£3bn" letter by letter and "1/2" as "one two". Text that it reads well, such as "$5"
 * and "20%", must stay unchanged.
 */
import { applySpeechRules, type WordContext } from './speech-rules-english.ts'

interface Money {
  one: string
  many: string
  /** The hundredth part; null for currencies without one. */
  small: string | null
}

const money: Record<string, Money> = {
  $: { one: 'dollar', many: 'dollars', small: 'cents' },
  '€': { one: 'euro', many: 'euros', small: 'cents' },
  '£': { one: 'pound', many: 'pounds', small: 'pence' },
  '¥': { one: 'yen', many: 'yen', small: null },
  '₹': { one: 'rupee', many: 'rupees', small: 'paise' },
}
const scales: Record<string, string> = { k: 'thousand', m: 'million', b: 'billion', t: 'trillion' }
const fractions: Record<string, string> = {
  '1/2': 'one half',
  '1/3': 'one third',
  '2/3': 'two thirds',
  '1/4': 'one quarter',
  '3/4': 'three quarters',
  '1/8': 'one eighth',
}
const units = new Map(
  Object.entries({
    'km/h': 'kilometers per hour',
    mph: 'miles per hour',
    kg: 'kilograms',
    km: 'kilometers',
    cm: 'centimeters',
    mm: 'millimeters',
    mg: 'milligrams',
    ml: 'milliliters',
    lb: 'pounds',
    lbs: 'pounds',
    oz: 'ounces',
    tbsp: 'tablespoons',
    tsp: 'teaspoons',
  }),
)
/** Units that are words or letters of their own elsewhere: spoken as units after a figure only. */
const unitsOfFigures = new Map(
  Object.entries({
    g: 'grams',
    m: 'meters',
    l: 'liters',
    L: 'liters',
    ft: 'feet',
    yd: 'yards',
    mi: 'miles',
    'm²': 'square meters',
    'km²': 'square kilometers',
    'm³': 'cubic meters',
    W: 'watts',
    kW: 'kilowatts',
    MW: 'megawatts',
    kWh: 'kilowatt hours',
    V: 'volts',
    Hz: 'hertz',
    kHz: 'kilohertz',
    MHz: 'megahertz',
    GHz: 'gigahertz',
    KB: 'kilobytes',
    MB: 'megabytes',
    GB: 'gigabytes',
    TB: 'terabytes',
    kcal: 'kilocalories',
    ms: 'milliseconds',
    sec: 'seconds',
    min: 'minutes',
    hr: 'hours',
    hrs: 'hours',
  }),
)
/** "10m" is ten million to some and ten metres to others: it stays as written. */
const ambiguous = new Set(['m', 'l'])
const singular = (many: string) =>
  many
    .replace(/feet$/, 'foot')
    .replace(/(?<!hert)(\p{L})s(?= per |$)/u, '$1')
    .replace(/^(\p{L}+)s /u, '$1 ')
/**
 * Spoken letter by letter. Only initials that flite reads as a word, so that capitalised words ("NOT", "BEST") stay
 * words.
 */
const initials =
  /(?<![\p{L}\p{N}])(AI|API|APR|APY|AED|AD|CEO|CFO|CIA|CIO|CMO|COO|CPU|CTO|DIY|DOJ|EKG|EMI|EMT|EOD|EPA|EQ|ERP|ETA|EU|EV|FAQ|GMO|HOA|ICU|ID|IP|IPO|IQ|IRS|ISP|IUD|MIT|MRI|NYC|POV|ROI|SEO|SUV|UAE|UCLA|UFO|UI|UN|UPS|URL|US|USDA|USP|USPS|UV|UX|YMCA)(?:['’]?(s))?(?![\p{L}\p{N}])/gu

const number = String.raw`\d+(?:,\d{3})*(?:\.\d+)?`
const amount = new RegExp(String.raw`([$€£¥₹])(${number})(?:(k|m|b|t)n?(?!\p{L}))?(?=(\p{L})?)`, 'giu')
const signAfter = new RegExp(String.raw`(?<![$€£¥₹\d.,])(${number})([$€£¥₹])`, 'gu')
/** Does not match telephone numbers and dates of three numbers. */
const range = /(?<![\d.,/-])(\d[\d.,]*%?)([-–])(?=[$€£¥₹]?(\d+(?:[.,]\d+)*)(?![-–/\d]))/gu

/** `raw` is a token of a script. `allCapitals`: the whole script is in capitals, so initials cannot be recognised. */
export function normaliseEnglish(raw: string, allCapitals: boolean, context: WordContext): string {
  const worded = inWords(applySpeechRules(raw, context), context)
  return allCapitals ? worded : spellInitials(worded)
}

function inWords(raw: string, { before }: WordContext): string {
  return raw
    .replace(/(\d)?([½⅓⅔¼¾⅛])/gu, (_, whole: string | undefined, sign: string) => mixed(whole, sign))
    .replace(/^([^\p{L}\p{N}]*)(\d\/\d)(?=[^\p{L}\p{N}/]*$)/u, (all, before: string, digits: string) => {
      const fraction = fractions[digits]
      return fraction ? before + fraction : all
    })
    .replace(/(?<!\d)24\/7(?!\d)/g, 'twenty four seven')
    .replace(/(?<!\d)50[-–/]50(?!\d)/g, 'fifty fifty')
    .replace(/^([^\p{L}\p{N}$€£¥₹-]*)[-−](?=[$€£¥₹]?\d)/u, '$1minus ')
    .replace(range, (all, from: string, dash: string, to: string) =>
      dash === '–' || (figure(to) > figure(from) && !isTelephone(from, to)) ? `${from} to ` : all,
    )
    .replace(/^[$€£¥₹](?=[.,;:!?)]*$)/, (sign) => money[sign]!.many)
    .replace(signAfter, '$2$1')
    .replace(
      amount,
      (_, sign: string, value: string, scale: string | undefined, letter: string | undefined) =>
        `${amountInWords(sign, value, scale)}${letter ? ' ' : ''}`,
    )
    .replace(/(\d)\s?°\s?([CF])?(?!\p{L})/gu, (_, digit: string, kind: string | undefined) =>
      `${digit} degrees ${kind ? (kind === 'C' ? 'Celsius' : 'Fahrenheit') : ''}`.trimEnd(),
    )
    .replace(/^([\d.,]*)(km\/h|[\p{L}²³]+)(?=[.,;:!?)]*$)/u, (all, value: string, unit: string) => {
      const count = value || (/^[\d.,]+$/.test(before) ? before : '')
      const many = units.get(unit) ?? (count ? unitsOfFigures.get(unit) : undefined)
      if (!many || (value && ambiguous.has(unit))) return all
      return `${value} ${count === '1' ? singular(many) : many}`.trimStart()
    })
    .replace(/(?<=\d|dollars|cents|euros?|pounds?|pence)\/(?=(?:month|year|week|day|night|hour|person)\b)/g, ' per ')
}

const spellInitials = (text: string) =>
  text.replace(initials, (_, letters: string, plural: string | undefined) =>
    [...letters].join(' ').concat(plural ? "'s" : ''),
  )

const mixed = (whole: string | undefined, sign: string) => {
  const fraction = fractions[sign.normalize('NFKC').replace('\u2044', '/')] ?? sign
  return whole ? `${whole} and ${fraction.replace(/^one half$/, 'a half')}` : fraction
}

const figure = (digits: string) => Number.parseFloat(digits.replaceAll(',', ''))
const isTelephone = (from: string, to: string) => /^\d{3}$/.test(from) && /^\d{4}$/.test(to)

function amountInWords(sign: string, value: string, scale: string | undefined): string {
  const { one, many, small } = money[sign]!
  if (scale) return `${value} ${scales[scale.toLowerCase()]} ${many}`
  if (sign === '$') return `$${value}`
  const [whole = '', hundredths] = value.split('.')
  if (hundredths?.length !== 2 || !small) return `${value} ${value === '1' ? one : many}`
  if (whole === '0') return `${Number(hundredths)} ${small}`
  return `${whole} ${whole === '1' ? one : many}${hundredths === '00' ? '' : ` ${hundredths}`}`
}
