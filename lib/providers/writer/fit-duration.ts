/** How a script that takes too long to speak is made to fit. */
import { estimateSpeechSeconds, unspacedScripts } from '../../domain/generation/speech-duration.ts'

/** The hook and the close stay: sentences go from before the last one, then the last, then words. */
export function trimToDuration(text: string, language: string, secondsMax: number): string {
  const segments = new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)
  const sentences = Array.from(segments, ({ segment }) => segment)
  const told = () => sentences.join('').trim()
  while (sentences.length > 1 && estimateSpeechSeconds(told()) > secondsMax)
    sentences.splice(Math.max(-2, 1 - sentences.length), 1)
  return estimateSpeechSeconds(told()) > secondsMax ? cut(told(), secondsMax) : told()
}

const pieces = new RegExp(`${unspacedScripts.source}|\\S+\\s*`, 'gu')

function cut(sentence: string, secondsMax: number): string {
  const parts = sentence.match(pieces) ?? []
  let told = ''
  for (const part of parts) {
    if (told && estimateSpeechSeconds(told + part) > secondsMax) break
    told += part
  }
  return `${told.trim().replace(/[\s,;:–—-]+$/u, '')}.`
}
