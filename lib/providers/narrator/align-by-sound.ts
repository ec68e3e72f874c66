/**
 * Estimates word times from the sound and the text alone: marks of punctuation are matched to the pauses that are
 * heard, and the words between two of them share the sound by their length. For engines that return no times.
 */
import { rmsLevels } from '../../render/sound/rms-levels.ts'
import { speechWeight } from './syllables.ts'
import type { TokenSpan } from './word-timings.ts'

/** A token as far as its time depends on it. Silent ones have no words in `spoken`. */
export interface AlignedToken {
  spoken: string
  pause: string
  endsLine: boolean
}

const windowMs = 10
/** The last word before a pause is drawn out by as much as two letters take. */
const finalWeight = 2.2
/** A shorter silence is the closure of a consonant, such as a t. */
const pauseMsMin = 60
/** Amplitude of -46 dBFS: between words, sound falls below it or below a twentieth of the loud parts. */
const silenceMax = 164

/** How many marks in a row may have no pause, and how many pauses in a row no mark. */
const marksSkippedMax = 4
const pausesSkippedMax = 25
/** Costs in squared relative errors of duration. */
const skippedMarkCost = 0.35
const skippedPauseCost = 0.5

const weightOf = ({ spoken, pause, endsLine }: AlignedToken) =>
  speechWeight(spoken) + (pause || endsLine ? finalWeight : 0)

interface Pause {
  startMs: number
  endMs: number
  /** Milliseconds of sound before it. */
  soundMs: number
}

/** The span of each token; null for silent ones. In order, inside the sound. */
export function alignBySound(
  tokens: readonly AlignedToken[],
  samples: Int16Array,
  sampleRate: number,
): (TokenSpan | null)[] {
  const { isSound, pauses, soundMs } = analyse(samples, sampleRate)
  const durationMs = (samples.length * 1000) / sampleRate
  const phrases = phrasesOf(tokens)
  const spans: (TokenSpan | null)[] = tokens.map(() => null)
  if (phrases.length === 0 || soundMs === 0) return spans
  const first = isSound.indexOf(true) * windowMs
  const last = Math.min(durationMs, (isSound.lastIndexOf(true) + 1) * windowMs)
  let startMs = first
  for (const group of matchPauses(phrases, pauses, soundMs)) {
    const endMs = group.pause?.startMs ?? last
    share(group.tokens, tokens, { startMs, endMs }, isSound, spans)
    startMs = group.pause?.endMs ?? last
  }
  return spans
}

function analyse(samples: Int16Array, sampleRate: number) {
  const levels = rmsLevels(samples, (sampleRate * windowMs) / 1000)
  const loud = levels.toSorted()[Math.floor(levels.length * 0.9)] ?? 0
  const threshold = Math.min(silenceMax, loud / 20)
  const isSound = Array.from(levels, (level) => level > threshold)
  const pauses: Pause[] = []
  let soundMs = 0
  let silentFrom: number | undefined
  isSound.forEach((sound, index) => {
    if (!sound) silentFrom ??= index
    if (!sound) return
    if (silentFrom !== undefined && soundMs > 0 && (index - silentFrom) * windowMs >= pauseMsMin)
      pauses.push({ startMs: silentFrom * windowMs, endMs: index * windowMs, soundMs })
    silentFrom = undefined
    soundMs += windowMs
  })
  return { isSound, pauses, soundMs }
}

interface Phrase {
  /** Indices of the spoken tokens. */
  tokens: number[]
  weight: number
  /** How long a pause the mark after it makes: 1 for a comma, 2 for the end of a sentence. */
  mark: number
}

function phrasesOf(tokens: readonly AlignedToken[]): Phrase[] {
  const phrases: Phrase[] = []
  tokens.forEach(({ spoken, pause, endsLine }, index) => {
    if (!spoken) return
    const last = phrases.at(-1)
    const phrase = last && last.mark === 0 ? last : { tokens: [], weight: 0, mark: 0 }
    if (phrase !== last) phrases.push(phrase)
    phrase.tokens.push(index)
    phrase.weight += weightOf(tokens[index]!)
    phrase.mark = endsLine || /[.?!]/.test(pause) ? 2 : pause ? 1 : 0
  })
  return phrases
}

interface Group {
  tokens: number[]
  /** Undefined for the last one. */
  pause: Pause | undefined
}

/**
 * Matches marks to pauses, both in order, so that each phrase has about the sound that its weight expects (dynamic
 * programming). A mark without a pause joins its phrase to the next one; a pause without a mark stays inside a phrase.
 */
function matchPauses(phrases: readonly Phrase[], pauses: readonly Pause[], soundMs: number): Group[] {
  const total = phrases.reduce((sum, { weight }) => sum + weight, 0)
  const expectedBefore = [0]
  for (const { weight } of phrases) expectedBefore.push(expectedBefore.at(-1)! + (soundMs * weight) / total)
  // States: `marks` phrases end at pause number `at`; 0 and 0 is the beginning.
  const marksMax = phrases.length - 1
  const width = pauses.length + 1
  const best = new Float64Array((marksMax + 1) * width).fill(Number.POSITIVE_INFINITY)
  const from = new Int32Array(best.length).fill(-1)
  best[0] = 0
  const heard = (at: number) => (at === 0 ? 0 : pauses[at - 1]!.soundMs)
  const skippedPauses = [0]
  for (const { startMs, endMs } of pauses)
    skippedPauses.push(skippedPauses.at(-1)! + Math.max(0, Math.min(1, (endMs - startMs - pauseMsMin) / 300)))
  const skippedMarks = [0, 0]
  for (const { mark } of phrases) skippedMarks.push(skippedMarks.at(-1)! + mark)
  const costOf = (marks: number, at: number, nextMarks: number, soundTo: number, pausesTo: number) => {
    const expected = expectedBefore[nextMarks]! - expectedBefore[marks]!
    const error = (soundTo - heard(at) - expected) / Math.sqrt(expected * 400 + 1)
    const unmarked = skippedPauses[pausesTo]! - skippedPauses[at]!
    const unheard = skippedMarks[nextMarks]! - skippedMarks[marks + 1]!
    return error ** 2 + skippedPauseCost * unmarked + skippedMarkCost * unheard
  }
  for (let marks = 0; marks <= marksMax; marks++)
    for (let at = 0; at < width; at++) {
      const cost = best[marks * width + at]!
      if (cost === Number.POSITIVE_INFINITY) continue
      for (let next = marks + 1; next <= Math.min(marksMax, marks + 1 + marksSkippedMax); next++)
        for (let to = at + 1; to < Math.min(width, at + 2 + pausesSkippedMax); to++) {
          const state = next * width + to
          const sum = cost + costOf(marks, at, next, heard(to), to - 1)
          if (sum >= best[state]!) continue
          best[state] = sum
          from[state] = marks * width + at
        }
    }
  let [state, least] = [0, Number.POSITIVE_INFINITY]
  best.forEach((cost, index) => {
    const [marks, at] = [Math.floor(index / width), index % width]
    const sum = cost + costOf(marks, at, phrases.length, soundMs, pauses.length)
    if (sum < least) [state, least] = [index, sum]
  })
  const groups: Group[] = []
  let [end, pause]: [number, Pause | undefined] = [phrases.length, undefined]
  for (; state >= 0; state = from[state]!) {
    const [marks, at] = [Math.floor(state / width), state % width]
    groups.unshift({ tokens: phrases.slice(marks, end).flatMap((phrase) => phrase.tokens), pause })
    ;[end, pause] = [marks, pauses[at - 1]]
  }
  return groups
}

/** The tokens share the windows with sound between two times by their weight. */
function share(
  group: readonly number[],
  tokens: readonly AlignedToken[],
  { startMs, endMs }: TokenSpan,
  isSound: readonly boolean[],
  spans: (TokenSpan | null)[],
): void {
  const windows: number[] = []
  for (let at = Math.round(startMs / windowMs); at < Math.round(endMs / windowMs); at++)
    if (isSound[at]) windows.push(at)
  const weights = group.map((index) => weightOf(tokens[index]!))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let before = 0
  group.forEach((index, position) => {
    const first = (windows.length * before) / total
    before += weights[position]!
    const last = (windows.length * before) / total
    const windowAt = (at: number) => windows[Math.min(windows.length - 1, Math.max(0, at))]! * windowMs
    spans[index] =
      windows.length === 0
        ? { startMs, endMs }
        : { startMs: windowAt(Math.floor(first)), endMs: windowAt(Math.ceil(last) - 1) + windowMs }
  })
}
