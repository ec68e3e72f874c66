/** Trims a script to a spoken duration. */
import { estimateSpeechSeconds, unspacedScripts } from '../../domain/generation/speech-duration.ts'

/** Keeps the hook and the close: drops the second last sentence repeatedly, then the last one, then words. */
export function trimToDuration(text: string, language: string, secondsMax: number): string {
  const segments = new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)
  const sentences = Array.from(segments, ({ segment }) => segment)
  const remaining = () => sentences.join('').trim()
  while (sentences.length > 1 && estimateSpeechSeconds(remaining()) > secondsMax)
    sentences.splice(Math.max(-2, 1 - sentences.length), 1)
  return estimateSpeechSeconds(remaining()) > secondsMax ? cut(remaining(), secondsMax) : remaining()
}

const pieces = new RegExp(`${unspacedScripts.source}|\\S+\\s*`, 'gu')

function cut(sentence: string, secondsMax: number): string {
  const parts = sentence.match(pieces) ?? []
  let result = ''
  for (const part of parts) {
    if (result && estimateSpeechSeconds(result + part) > secondsMax) break
    result += part
  }
  return `${result.trim().replace(/[\s,;:–—-]+$/u, '')}.`
}
