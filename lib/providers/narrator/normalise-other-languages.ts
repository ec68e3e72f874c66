/** What the voices of other languages than English are given in the place of signs that they skip or read wrongly, found by listening to espeak. */

interface LocalWords {
  minus: string
  degrees: string
  half: string
  /** Said letter by letter, where espeak makes a word of them ("USA" is "uhsa" in German). */
  initials?: string
  /** Currencies that espeak does not know or does not name. */
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

/** The same token with words in the place of such signs. `raw` is as it stands in the script. */
export function normaliseForLanguage(raw: string, language: string): string {
  const words = localWords[language]
  if (!words) return raw
  const { minus, degrees, half, initials, money = {} } = words
  let said = raw
    .replace(/^([^\p{L}\p{N}]*?)(?:½|1\/2)(?=[^\p{L}\p{N}/]*$)/u, (_, before: string) => before + half)
    .replace(/^([^\p{L}\p{N}-]*)[-−](?=\d)/u, (_, before: string) => `${before}${minus} `)
    .replace(/(?<=\d)\s?°(?:C(?!\p{L}))?/gu, ` ${degrees} `)
    .replace(/^°C?(?=[.,;:!?)]*$)/u, degrees)
  if (initials)
    said = said.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${initials})(?![\\p{L}\\p{N}])`, 'gu'), (letters) =>
      [...letters].join(' '),
    )
  for (const [sign, name] of Object.entries(money)) {
    const written = sign.replace('$', '\\$')
    said = said
      .replace(
        new RegExp(`${written}\\s?(${number})|(${number})\\s?${written}`, 'gu'),
        (_, after?: string, before?: string) => `${after ?? before} ${name}`,
      )
      .replace(new RegExp(`^${written}$`, 'u'), name)
  }
  return said
}
