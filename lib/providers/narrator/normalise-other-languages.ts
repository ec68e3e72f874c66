/**
 * Text normalisation for languages other than English: replaces signs that espeak skips or reads wrongly, found by
 * listening to it.
 */

interface LocalWords {
  minus: string
  degrees: string
  half: string
  /** Spoken letter by letter. Only initials that espeak reads as a word ("USA" is "uhsa" in German). */
  initials?: string
  /** Currencies that espeak does not speak. */
  money?: Record<string, string>
}

const localWords: Record<string, LocalWords> = {
  es: { minus: 'menos', degrees: 'grados', half: 'medio', initials: 'IA|UE|CEO|API' },
  fr: { minus: 'moins', degrees: 'degrés', half: 'un demi', initials: 'IA|UE|API' },
  de: {
    minus: 'minus',
    degrees: 'Grad',
    half: 'ein halb',
    initials: 'KI|AI|EU|USA|UN|US|UK|CEO|API|IQ|ETF|ARD|URL|UI|IT',
  },
  it: { minus: 'meno', degrees: 'gradi', half: 'mezzo' },
  pt: { minus: 'menos', degrees: 'graus', half: 'meio', initials: 'IA|UE|API', money: { R$: 'reais' } },
  nl: { minus: 'min', degrees: 'graden', half: 'een half', initials: 'AI|EU|CEO|API|IQ|VS' },
  pl: { minus: 'minus', degrees: 'stopni', half: 'pół', money: { '€': 'euro' } },
  hi: { minus: 'माइनस', degrees: 'डिग्री', half: 'आधा', money: { '₹': 'रुपये' } },
  ko: { minus: '마이너스', degrees: '도', half: '이분의 일', money: { '€': '유로' } },
  zh: { minus: '负', degrees: '度', half: '二分之一' },
}

const number = String.raw`\d+(?:[.,]\d+)*`

/** `raw` is a token of a script. */
export function normaliseForLanguage(raw: string, language: string): string {
  const words = localWords[language]
  if (!words) return raw
  const { minus, degrees, half, initials, money = {} } = words
  let text = raw
    .replace(/^([^\p{L}\p{N}]*?)(?:½|1\/2)(?=[^\p{L}\p{N}/]*$)/u, (_, before: string) => before + half)
    .replace(/^([^\p{L}\p{N}-]*)[-−](?=\d)/u, (_, before: string) => `${before}${minus} `)
    .replace(/(?<=\d)\s?°(?:C(?!\p{L}))?/gu, ` ${degrees} `)
    .replace(/^°C?(?=[.,;:!?)]*$)/u, degrees)
  if (initials)
    text = text.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${initials})(?![\\p{L}\\p{N}])`, 'gu'), (letters) =>
      [...letters].join(' '),
    )
  for (const [sign, name] of Object.entries(money)) {
    const written = sign.replace('$', '\\$')
    text = text
      .replace(
        new RegExp(`${written}\\s?(${number})|(${number})\\s?${written}`, 'gu'),
        (_, after?: string, before?: string) => `${after ?? before} ${name}`,
      )
      .replace(new RegExp(`^${written}$`, 'u'), name)
  }
  return text
}
