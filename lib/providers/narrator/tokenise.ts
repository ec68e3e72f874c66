/**
 * Turns a written script into the input of speech engines: one entry per whitespace token, with the words to speak and
 * the pause after it. Drops everything that is not speech (markup, emoji, brackets), so that engines only get plain
 * words.
 */
import { moveUnitLast } from './currency-order.ts'
import { normaliseEnglish } from './normalise-english.ts'
import { normaliseForLanguage } from './normalise-other-languages.ts'
import { groupRest, type WordContext } from './speech-rules-english.ts'

export interface Token {
  /** The token as written in the script. */
  text: string
  /** The words to speak, without punctuation; empty where the token is silent (a dash, an emoji). */
  spoken: string
  /** The mark that makes the engine pause after the token. */
  pause: '' | ',' | '.' | '?' | '!'
  /** The mark as written: it decides how long the pause is. */
  mark: Mark
  /** A line break follows: the pause may be longer. */
  endsLine: boolean
  /** A blank line follows. */
  endsParagraph: boolean
}

export type Mark = '' | ',' | ';' | ':' | '–' | '.' | '…' | '?' | '!'
/** Engines know four marks. */
const pauses: Record<Mark, Token['pause']> = {
  '': '',
  ',': ',',
  ';': ',',
  ':': ',',
  '–': ',',
  '.': '.',
  '…': '.',
  '?': '?',
  '!': '!',
}

/** No real word is longer: a runaway token would be read for minutes. */
const spokenLengthMax = 80
/** Writing systems without spaces between words: a token may be a whole paragraph. */
const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

export const isRunaway = (text: string) => text.length > spokenLengthMax && !withoutSpaces.test(text)

const andWords: Record<string, string> = {
  en: 'and',
  es: 'y',
  fr: 'et',
  de: 'und',
  it: 'e',
  pt: 'e',
  nl: 'en',
  pl: 'i',
  hi: 'और',
  ko: '그리고',
  zh: '和',
}
const dotWords: Record<string, string> = {
  en: 'dot',
  es: 'punto',
  fr: 'point',
  de: 'Punkt',
  it: 'punto',
  pt: 'ponto',
  nl: 'punt',
  pl: 'kropka',
}

/** Group 1 is the host, recognised by a scheme, by www or by a well-known top-level domain. */
const webAddress = /^[^\p{L}\p{N}]*(?:https?:\/\/(?:www\.)?|www\.)([^\s/?#:]*[\p{L}\p{N}])/iu
const bareHost =
  /^[^\p{L}\p{N}]*((?=[\p{L}\p{N}])(?:[\p{L}\p{N}-]+\.)+(?:com|org|net|io|ai|dev|app|co|uk|eu|de|fr|es|it|nl|pl|br))(?=[/?#]|[^\p{L}\p{N}]*$)/iu
/** "I." ends a sentence; so does "no.", unless a figure follows. */
const abbreviation =
  /^[^\p{L}\p{N}]*(?:mr|mrs|ms|dr|st|mt|prof|vs|sr|sra|dra|ee|bzw|mme|sig|e\.g|i\.e|approx|(?!i)\p{Lu})\.$/iu
/** "a.m." and "U.S." end a sentence only before a capital. */
const dotted = /^[^\p{L}\p{N}]*(?:\d[\d:]*)?(?:\p{L}{1,2}\.){2,}$/u
const beforeFigure = /^[^\p{L}\p{N}]*(?:no|nr|ca|fig|vol|max|min|jan|feb|aug|sept?|oct|nov|dec)\.$/iu

/** Splits at white space and decides the spoken words and the pause of each token. Every token is in the result. */
export function tokenise(script: string, language: string): Token[] {
  const tokens: Token[] = []
  const allCapitals = !/\p{Ll}/u.test(script) && /\s/.test(script.trim())
  for (const [, text = '', space = '', next = ''] of script.matchAll(/(\S+)(\s*)(?=(\S*))/g)) {
    const spoken = spokenForm(text, language, allCapitals, { before: tokens.at(-1)?.text ?? '', next })
    const isAbbreviated =
      (beforeFigure.test(text) && /^\d/.test(next)) || (dotted.test(text) && /^[\p{Ll}\d]/u.test(next))
    const isAreaCode = language === 'en' && /^\(\d{3}\)$/.test(text) && /^\d{3}[-.]\d{4}/.test(next)
    const mark = isAreaCode ? ',' : spoken && !isAbbreviated ? markAfter(text) : ''
    const endsParagraph = /\n\s*\n/.test(space)
    const token: Token = { text, spoken, pause: pauses[mark], mark, endsLine: space.includes('\n'), endsParagraph }
    const last = tokens.at(-1)
    const amount = last && !wordOfLetters.test(last.text) && moveUnitLast(last.spoken, spoken)
    if (amount) [last.spoken, token.spoken] = amount
    // A silent token (a dash, a bullet) becomes a pause after the word before it.
    if (!spoken && last && last.mark === '') {
      last.mark = markAfter(text) || (/[–—|•…-]/u.test(text) ? '–' : '')
      last.pause = pauses[last.mark]
    }
    tokens.push(token)
  }
  return tokens
}

/** "$ 5" is an amount, "dollars 5 times" is not. */
const wordOfLetters = /(?!R\$)\p{L}/u
/** A sign as a separate token, as in "20 €". */
const aloneSign = /^[%+=$€£¥][.,;:!?)]*$/

function spokenForm(text: string, language: string, allCapitals: boolean, context: WordContext): string {
  const isAddress = webAddress.test(text) || bareHost.test(text)
  const worded = isAddress
    ? text
    : language === 'en'
      ? normaliseEnglish(text, allCapitals, context)
      : normaliseForLanguage(text, language)
  const plain = readable(worded.normalize('NFKC').replace(/[‘’ʼ]/gu, "'"), language)
  const and = andWords[language] ?? ' '
  const joined = plain.replaceAll('&', ` ${and} `)
  // Signs are spoken next to a number or alone ("5%", "a + b"), but not as decoration ("**bold**", "C++").
  const keepsSigns = /\d/.test(plain) || aloneSign.test(plain)
  const words = joined
    .replace(keepsSigns ? /[^\p{L}\p{M}\p{N}'.,:%+=$€£¥\ue000]/gu : /[^\p{L}\p{M}\p{N}']/gu, ' ')
    .replace(/\u200b|\u200c|\u200d|\ufe0e|\ufe0f|\u20e3/gu, '')
    .replace(/(?<!\d)[.,:]|[.,:](?!\d)/g, ' ')
    .replace(/(?<![\p{L}\p{M}])'|'(?![\p{L}\p{M}])/gu, ' ')
    .replace(new RegExp(String.raw`(?<!\s)\s*${groupRest}\s*(?=\S)`, 'g'), ', ')
    .replace(new RegExp(groupRest, 'g'), ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const speaks = /[\p{L}\p{N}]/u.test(words) || aloneSign.test(words)
  if (!speaks) return ''
  return isRunaway(words) ? Array.from(words).slice(0, spokenLengthMax).join('').trim() : words
}

/** "https://www.example.com/a?b=1" is spoken as "example dot com", "[label](address)" as its label. */
function readable(text: string, language: string): string {
  const host = webAddress.exec(text)?.[1] ?? bareHost.exec(text)?.[1]
  return host
    ? host.replaceAll('.', ` ${dotWords[language] ?? ''} `)
    : text.replace(/\]\(.*$/u, '').replace(/<\/?[a-z][^<>]*>/gi, ' ')
}

/** The lookbehind lets a run be tried from its start only. */
const closing =
  /(?<!["'”’»)\]*_`~\p{Extended_Pictographic}]|\ufe0f)(?:["'”’»)\]*_`~\p{Extended_Pictographic}]|\ufe0f)+$/u

function markAfter(text: string): Mark {
  if (abbreviation.test(text)) return ''
  const end = text.replace(closing, '')
  const mark = markOf[/(?:\.{3}|\P{L})$/u.exec(end)?.[0] ?? '']
  return mark ?? ''
}

const markOf: Partial<Record<string, Mark>> = Object.fromEntries(
  Object.entries<Mark>({
    '?？؟': '?',
    '!！': '!',
    '.。।｡': '.',
    '…': '…',
    ':：': ':',
    ';；': ';',
    ',、，': ',',
    '–—-': '–',
  })
    .flatMap(([signs, mark]) => [...signs].map((sign): [string, Mark] => [sign, mark]))
    .concat([['...', '…']]),
)
