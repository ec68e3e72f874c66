/** How well words follow a voice, measured where anything sounds in the narration: robust against what single words sound like. */
import type { Hearing } from './quality.ts'
import { isSpoken } from './soundtrack.ts'
import type { HeardWord } from './timelines/captions.ts'

/** The voice begins anew after a rest: there it can be seen when a word is really heard. */
const restMsMin = 60
/** So many beginnings tell more than one: a voice that breathes or whispers spoils some of them, and drifting spoils all that follow. */
const beginnings = { atOnce: 9, least: 3 }
/** How close to a word something has to sound. */
const nearMs = 80
/** Words that are not spoken (an emoji, a foreign script) are given such moments. */
const momentMs = 120

/** How far words are from the voice, in ms: what is usual of some beginnings in a row, where it is worst. */
export function voiceOffsetMs(words: readonly HeardWord[], hearing: Hearing): number {
  const offsets = offsetsOf(words, hearing)
  if (offsets.length < beginnings.least) return 0
  const count = Math.max(1, Math.floor(offsets.length / beginnings.atOnce))
  const runs = Array.from({ length: count }, (_, run) =>
    offsets.slice(Math.floor((run * offsets.length) / count), Math.floor(((run + 1) * offsets.length) / count)),
  )
  return Math.max(...runs.map(usual))
}

/** For each word after a rest: how far from its time it is heard. */
function offsetsOf(words: readonly HeardWord[], { sounds, windowMs, durationMs }: Hearing): number[] {
  return words.flatMap(({ text, startMs, endMs }, index) => {
    const restFromMs = words[index - 1]?.endMs ?? 0
    if (!isSpoken(text) || startMs - restFromMs < restMsMin || endMs - startMs <= momentMs) return []
    const heard = sounds.indexOf(true, Math.floor((restFromMs + startMs) / 2 / windowMs))
    return [Math.abs((heard < 0 ? durationMs : heard * windowMs) - startMs)]
  })
}

/** The median; of few values a lower one, since words that are late on the whole are late everywhere. */
function usual(values: readonly number[]): number {
  const part = values.length < beginnings.atOnce ? 1 / 4 : 1 / 2
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)]!
}

/** How many of the words nothing is heard under. */
export function wordsInSilencePercent(words: readonly HeardWord[], { sounds, windowMs }: Hearing): number {
  const spoken = words.filter(({ text, startMs, endMs }) => isSpoken(text) && endMs - startMs > momentMs)
  const silent = spoken.filter(({ startMs, endMs }) => {
    const from = Math.max(0, Math.floor((startMs - nearMs) / windowMs))
    return !sounds.slice(from, Math.ceil((endMs + nearMs) / windowMs)).includes(true)
  })
  return spoken.length === 0 ? 0 : (100 * silent.length) / spoken.length
}

/** The longest time in which nothing sounds. */
export function longestSilenceMs({ sounds, windowMs }: Hearing): number {
  let [longest, silent] = [0, 0]
  for (const sound of sounds) {
    silent = sound ? 0 : silent + 1
    longest = Math.max(longest, silent)
  }
  return longest * windowMs
}
