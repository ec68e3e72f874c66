/** Trims a script to a spoken duration. */

import { estimateSpeechSeconds, unspacedScripts } from '../../domain/core/speech-duration.ts'
import type { ScriptBeat } from '../../domain/records/script.ts'

/** Keeps the first and the last beat: drops the last sentence of the beat before the last one repeatedly, then words. */
export function beatsWithin(beats: readonly ScriptBeat[], language: string, secondsMax: number): ScriptBeat[] {
  const remaining = beats.map((beat) => ({ ...beat }))
  const seconds = () => estimateSpeechSeconds(remaining.map(({ text }) => text).join(' '))
  while (remaining.length > 2 && seconds() > secondsMax) {
    const beat = remaining.at(-2)!
    beat.text = sentencesOf(beat.text, language).slice(0, -1).join('').trim()
    if (!beat.text) remaining.splice(-2, 1)
  }
  if (seconds() <= secondsMax) return remaining.map(withSpokenEmphasis)
  const [first, ...rest] = remaining
  const text = trimToDuration(remaining.map(({ text }) => text).join(' '), language, secondsMax)
  return [withSpokenEmphasis({ ...first!, text, emphasis: [first!, ...rest].flatMap(({ emphasis }) => emphasis) })]
}

/** Without words whose sentence was dropped. */
const withSpokenEmphasis = (beat: ScriptBeat): ScriptBeat => ({
  ...beat,
  emphasis: beat.emphasis.filter((word) => beat.text.toLowerCase().includes(word.toLowerCase())),
})

const sentencesOf = (text: string, language: string) =>
  Array.from(new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text), ({ segment }) => segment)

/** Keeps the hook and the close: drops the second last sentence repeatedly, then the last one, then words. */
export function trimToDuration(text: string, language: string, secondsMax: number): string {
  const sentences = sentencesOf(text, language)
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
  return `${result.trim().replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/u, '')}.`
}
