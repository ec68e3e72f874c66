/** How a script that takes too long to speak is made to fit. */
import { spokenCharacters, spokenSeconds } from '../../domain/generation/speech-duration.ts'

/** The hook and the close stay: sentences go from before the last one, then the last, then words. */
export function fitted(text: string, language: string, secondsMax: number): string {
  const segments = new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)
  const sentences = Array.from(segments, ({ segment }) => segment)
  const told = () => sentences.join('').trim()
  while (sentences.length > 1 && spokenSeconds(told()) > secondsMax)
    sentences.splice(Math.max(-2, 1 - sentences.length), 1)
  return spokenSeconds(told()) > secondsMax ? cut(told(), secondsMax) : told()
}

const pieces = new RegExp(`${spokenCharacters.source}|\\S+\\s*`, 'gu')

function cut(sentence: string, secondsMax: number): string {
  const parts = sentence.match(pieces) ?? []
  let told = ''
  for (const part of parts) {
    if (told && spokenSeconds(told + part) > secondsMax) break
    told += part
  }
  return `${told.trim().replace(/[\s,;:–—-]+$/u, '')}.`
}
