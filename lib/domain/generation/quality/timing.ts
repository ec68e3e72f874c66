/** Measures how well word timings match a voice, from sound and silence only: independent of how words are pronounced. */

import { hasSpeech } from '../../core/text.ts'
import type { Span, TimedWord } from '../../core/timeline-item.ts'
import type { AudioAnalysis } from './audio-analysis.ts'

/** Minimum length of a gap between words and of a pause of the voice. Plosives (p, t, k) cause silences shorter than the latter. */
const pauseMsMin = { ofWords: 60, ofVoice: 150 }
/** Pauses per window, and the minimum to judge by: breathing and whispering distort single pauses, drift distorts all that follow. */
const pauses = { perWindow: 9, min: 3 }
/** Speech of several sentences that is this long has pauses. */
const longMs = 10_000
/** Tolerance between a word and sound. */
const nearMs = 80
/** Words that are not spoken (an emoji, a foreign script) get at most this duration. */
const unspokenMsMax = 120

/**
 * How far word timings are from the voice, in ms: the typical offset in the worst window of consecutive pauses. The whole
 * duration if it cannot be measured: long audio of several sentences without pauses.
 */
export function voiceOffsetMs(words: readonly TimedWord[], audio: AudioAnalysis): number {
  const isLong = audio.durationMs >= longMs && words.slice(0, -1).filter(endsSentence).length >= pauses.min
  if (isLong && pausesOf(audio).length < pauses.min) return audio.durationMs
  return Math.max(worstWindow(offsetsOf(words, audio)), worstWindow(overlapsOf(words, audio)))
}

/** A full stop after a short word may belong to an abbreviation, which has no pause after it. */
const endsSentence = ({ text }: TimedWord) => /(?:\p{L}{4}\.|[!?…।])(?:(?![!?…।])\p{P})*$/u.test(text)

function worstWindow(offsets: readonly number[]): number {
  if (offsets.length < pauses.min) return 0
  const count = Math.max(1, Math.floor(offsets.length / pauses.perWindow))
  const windows = Array.from({ length: count }, (_, index) =>
    offsets.slice(Math.floor((index * offsets.length) / count), Math.floor(((index + 1) * offsets.length) / count)),
  )
  return Math.max(...windows.map(lowMedian))
}

/** For each word after a gap: the offset between its time and the onset of sound. */
function offsetsOf(words: readonly TimedWord[], { sounds, windowMs, durationMs }: AudioAnalysis): number[] {
  return words.flatMap(({ text, startMs, endMs }, index) => {
    const gapStartMs = words[index - 1]?.endMs ?? 0
    if (!hasSpeech(text) || startMs - gapStartMs < pauseMsMin.ofWords || endMs - startMs <= unspokenMsMax) return []
    const onset = sounds.indexOf(true, Math.floor((gapStartMs + startMs) / 2 / windowMs))
    return [Math.abs((onset < 0 ? durationMs : onset * windowMs) - startMs)]
  })
}

/** Written as one word but spoken as several: dates, figures, scripts without spaces. The voice may pause inside. */
const spokenAsSeveral =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|\p{P}(?:(?!\p{P})\S)*[\p{L}\p{N}]/u

/** For each pause of the voice: for how long words overlap it. */
function overlapsOf(words: readonly TimedWord[], audio: AudioAnalysis): number[] {
  const spoken = words.filter(({ text, startMs, endMs }) => hasSpeech(text) && endMs - startMs > unspokenMsMax)
  return pausesOf(audio).flatMap((pause) => {
    const overlapping = spoken.filter(({ startMs, endMs }) => startMs < pause.endMs && endMs > pause.startMs)
    if (overlapping.some(({ text }) => spokenAsSeveral.test(text))) return []
    const lengths = overlapping.map((word) => Math.min(word.endMs, pause.endMs) - Math.max(word.startMs, pause.startMs))
    return [lengths.reduce((sum, length) => sum + length, 0)]
  })
}

/** The silences between two sounds that are long enough for a pause. */
function pausesOf({ sounds, windowMs }: AudioAnalysis): Span[] {
  const found: Span[] = []
  let lastSound = sounds.indexOf(true)
  for (let index = lastSound + 1; lastSound >= 0 && index < sounds.length; index++) {
    if (!sounds[index]) continue
    const pause = { startMs: (lastSound + 1) * windowMs, endMs: index * windowMs }
    if (pause.endMs - pause.startMs >= pauseMsMin.ofVoice) found.push(pause)
    lastSound = index
  }
  return found
}

/** The median; the lower quartile of few values, since words that are late overall are late everywhere. */
function lowMedian(values: readonly number[]): number {
  const quantile = values.length < pauses.perWindow ? 1 / 4 : 1 / 2
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * quantile)]!
}

/** Percentage of the spoken words during which the audio is silent. */
export function wordsInSilencePercent(words: readonly TimedWord[], { sounds, windowMs }: AudioAnalysis): number {
  const spoken = words.filter(({ text, startMs, endMs }) => hasSpeech(text) && endMs - startMs > unspokenMsMax)
  const silent = spoken.filter(({ startMs, endMs }) => {
    const from = Math.max(0, Math.floor((startMs - nearMs) / windowMs))
    return !sounds.slice(from, Math.ceil((endMs + nearMs) / windowMs)).includes(true)
  })
  return spoken.length === 0 ? 0 : (100 * silent.length) / spoken.length
}

/** The longest silence. */
export function longestSilenceMs({ sounds, windowMs }: AudioAnalysis): number {
  let [longest, silent] = [0, 0]
  for (const sound of sounds) {
    silent = sound ? 0 : silent + 1
    longest = Math.max(longest, silent)
  }
  return longest * windowMs
}
