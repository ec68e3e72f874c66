/** How well words follow a voice, measured where anything sounds in the narration: robust against what single words sound like. */

import { hasSpeech } from '../../core/text.ts'
import type { Span, TimedWord } from '../../core/timeline-item.ts'
import type { AudioAnalysis } from './audio-analysis.ts'

/** Rests: where words leave one, the voice begins anew; where the voice rests, no word is said. A stop (p, t, k) is shorter than the latter. */
const restMsMin = { ofWords: 60, ofVoice: 150 }
/** So many rests tell more than one: a voice that breathes or whispers spoils some of them, and drifting spoils all that follow. */
const rests = { atOnce: 9, least: 3 }
/** In so long a sound a voice that speaks several sentences has rested. */
const longMs = 10_000
/** How close to a word something has to sound. */
const nearMs = 80
/** Words that are not spoken (an emoji, a foreign script) are given such moments. */
const momentMs = 120

/**
 * How far words are from the voice, in ms: what is usual of some rests in a row, where it is worst. The whole length where nobody can
 * tell: in a long sound of sentences without rests.
 */
export function voiceOffsetMs(words: readonly TimedWord[], hearing: AudioAnalysis): number {
  const isLong = hearing.durationMs >= longMs && words.slice(0, -1).filter(endsSentence).length >= rests.least
  if (isLong && pausesOf(hearing).length < rests.least) return hearing.durationMs
  return Math.max(worstWindow(offsetsOf(words, hearing)), worstWindow(overlapsOf(words, hearing)))
}

/** A point after a short word may be that of an abbreviation, after which no voice rests. */
const endsSentence = ({ text }: TimedWord) => /(?:\p{L}{4}\.|[!?…।])\p{P}*$/u.test(text)

function worstWindow(offsets: readonly number[]): number {
  if (offsets.length < rests.least) return 0
  const count = Math.max(1, Math.floor(offsets.length / rests.atOnce))
  const runs = Array.from({ length: count }, (_, run) =>
    offsets.slice(Math.floor((run * offsets.length) / count), Math.floor(((run + 1) * offsets.length) / count)),
  )
  return Math.max(...runs.map(lowMedian))
}

/** For each word after a rest: how far from its time it is heard. */
function offsetsOf(words: readonly TimedWord[], { sounds, windowMs, durationMs }: AudioAnalysis): number[] {
  return words.flatMap(({ text, startMs, endMs }, index) => {
    const restFromMs = words[index - 1]?.endMs ?? 0
    if (!hasSpeech(text) || startMs - restFromMs < restMsMin.ofWords || endMs - startMs <= momentMs) return []
    const heard = sounds.indexOf(true, Math.floor((restFromMs + startMs) / 2 / windowMs))
    return [Math.abs((heard < 0 ? durationMs : heard * windowMs) - startMs)]
  })
}

/** What is written as one word and spoken as several: dates, figures, scripts without spaces. A voice may rest inside of it. */
const severalInOne = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|\p{P}\S*[\p{L}\p{N}]/u

/** For each rest of the voice: how long words are said in it. */
function overlapsOf(words: readonly TimedWord[], hearing: AudioAnalysis): number[] {
  const said = words.filter(({ text, startMs, endMs }) => hasSpeech(text) && endMs - startMs > momentMs)
  return pausesOf(hearing).flatMap((rest) => {
    const over = said.filter(({ startMs, endMs }) => startMs < rest.endMs && endMs > rest.startMs)
    if (over.some(({ text }) => severalInOne.test(text))) return []
    const lengths = over.map((word) => Math.min(word.endMs, rest.endMs) - Math.max(word.startMs, rest.startMs))
    return [lengths.reduce((sum, length) => sum + length, 0)]
  })
}

/** Where nothing sounds between two sounds. */
function pausesOf({ sounds, windowMs }: AudioAnalysis): Span[] {
  const found: Span[] = []
  let soundedAt = sounds.indexOf(true)
  for (let at = soundedAt + 1; soundedAt >= 0 && at < sounds.length; at++) {
    if (!sounds[at]) continue
    const rest = { startMs: (soundedAt + 1) * windowMs, endMs: at * windowMs }
    if (rest.endMs - rest.startMs >= restMsMin.ofVoice) found.push(rest)
    soundedAt = at
  }
  return found
}

/** The median; of few values a lower one, since words that are late on the whole are late everywhere. */
function lowMedian(values: readonly number[]): number {
  const part = values.length < rests.atOnce ? 1 / 4 : 1 / 2
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)]!
}

/** How many of the words nothing is heard under. */
export function wordsInSilencePercent(words: readonly TimedWord[], { sounds, windowMs }: AudioAnalysis): number {
  const spoken = words.filter(({ text, startMs, endMs }) => hasSpeech(text) && endMs - startMs > momentMs)
  const silent = spoken.filter(({ startMs, endMs }) => {
    const from = Math.max(0, Math.floor((startMs - nearMs) / windowMs))
    return !sounds.slice(from, Math.ceil((endMs + nearMs) / windowMs)).includes(true)
  })
  return spoken.length === 0 ? 0 : (100 * silent.length) / spoken.length
}

/** The longest time in which nothing sounds. */
export function longestSilenceMs({ sounds, windowMs }: AudioAnalysis): number {
  let [longest, silent] = [0, 0]
  for (const sound of sounds) {
    silent = sound ? 0 : silent + 1
    longest = Math.max(longest, silent)
  }
  return longest * windowMs
}
