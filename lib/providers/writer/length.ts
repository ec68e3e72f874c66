/** How long a script takes to speak, and how one that takes too long is made to fit. */

/** What the voices speak in a second, rests included; some scripts are counted by the character. */
export const spokenPerSecond = { words: 2.6, characters: 4.2 }

const characters = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu
/** A language whose words say little about how long they take. */
export const countsCharacters = (language: string) => /^(?:zh|ja|ko|th)\b/.test(language)

export function spokenSeconds(text: string): number {
  const words = text.replace(characters, ' ').match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0
  return words / spokenPerSecond.words + (text.match(characters)?.length ?? 0) / spokenPerSecond.characters
}

/** The hook and the close stay: sentences go from before the last one, then the last, then words. */
export function fitted(text: string, language: string, secondsMax: number): string {
  const segments = new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)
  const sentences = Array.from(segments, ({ segment }) => segment)
  const told = () => sentences.join('').trim()
  while (sentences.length > 1 && spokenSeconds(told()) > secondsMax)
    sentences.splice(Math.max(-2, 1 - sentences.length), 1)
  return spokenSeconds(told()) > secondsMax ? cut(told(), secondsMax) : told()
}

const pieces = new RegExp(`${characters.source}|\\S+\\s*`, 'gu')

function cut(sentence: string, secondsMax: number): string {
  const parts = sentence.match(pieces) ?? []
  let told = ''
  for (const part of parts) {
    if (told && spokenSeconds(told + part) > secondsMax) break
    told += part
  }
  return `${told.trim().replace(/[\s,;:–—-]+$/u, '')}.`
}
