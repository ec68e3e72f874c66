/**
 * The quality gate that a generation has to pass. Every check is a number with an upper limit, measured on the actual output
 * instead of what a provider reports.
 */

import type { JobErrorCode } from '../../core/failures.ts'
import { JobFailure } from '../../core/failures.ts'
import type { Span, TimedWord } from '../../core/timeline-item.ts'
import { type QualityCheck, type QualityName, rules } from '../../records/quality.ts'
import type { CaptionPage, CaptionWord } from '../captions/captions.ts'
import type { AudioAnalysis } from './audio-analysis.ts'
import { longestSilenceMs, voiceOffsetMs, wordsInSilencePercent } from './timing.ts'

/** What a check measures, as text. */
export const checkLabel = (name: QualityName): string => rules[name].label

function check(name: QualityName, value: number): QualityCheck {
  const { limit } = rules[name]
  const measured = Math.round(value * 10) / 10
  return { name, passed: measured <= limit, measured, limit }
}

/** The failed checks as a sentence for the client; undefined if all passed. */
function failureMessage(checks: readonly QualityCheck[]): string | undefined {
  const failed = checks.filter(({ passed }) => !passed)
  if (failed.length === 0) return undefined
  return `${failed.map(({ name, measured, limit }) => `${checkLabel(name)}: ${measured} (at most ${limit})`).join('; ')}.`
}

/** Returns the checks; fails the job with `code` if one did not pass. */
export function requirePassed(checks: QualityCheck[], code: JobErrorCode): QualityCheck[] {
  const message = failureMessage(checks)
  if (message) throw new JobFailure(code, `The result did not pass the quality check: ${message}`)
  return checks
}

/** Target loudness of the platforms and of the renderer. */
const targetLufs = -14

/** Compares the words of a narration with its script and with its audio. */
export function narrationChecks(script: string, words: readonly TimedWord[], audio: AudioAnalysis): QualityCheck[] {
  const { durationMs, loudnessLufs } = audio
  return [
    check('wordsMissing', wordsMissing(script, words)),
    ...wordChecks(words, durationMs),
    ...timingChecks(words, audio),
    check('silenceMs', longestSilenceMs(audio)),
    check('loudnessGapLu', gapLu(loudnessLufs)),
  ]
}

/** Compares words with an audio file, which may be another one than they were recognised in. */
export const timingChecks = (words: readonly TimedWord[], audio: AudioAnalysis): QualityCheck[] => [
  check('voiceOffsetMs', voiceOffsetMs(words, audio)),
  check('wordsInSilencePercent', wordsInSilencePercent(words, audio)),
]

/** The loudness of a render. */
export const renderChecks = ({ loudnessLufs }: AudioAnalysis): QualityCheck[] => [
  check('filmLoudnessGapLu', gapLu(loudnessLufs)),
]

/** Bounded, since the loudness of silence is -Infinity. */
const gapLu = (loudnessLufs: number) => Math.min(Math.abs(targetLufs - loudnessLufs), 200)

/** Invariants of every transcript: words do not overlap and end within the audio. */
const wordChecks = (words: readonly Span[], durationMs: number): QualityCheck[] => [
  check('wordsOverlapping', overlapping(words)),
  check('wordsBeyondMs', Math.max(0, ...words.map(({ endMs }) => endMs - durationMs))),
]

export const captionChecks = (
  { captions, captionsPages }: { captions: readonly CaptionWord[]; captionsPages: readonly CaptionPage[] },
  videoMs: number,
): QualityCheck[] => [
  ...wordChecks(captions, videoMs),
  check('pagesOverlapping', overlapping(captionsPages)),
  check('wordsUnpaged', captions.filter((word) => !captionsPages.some((page) => holds(page, word))).length),
  check('pagesBeyondMs', Math.max(0, ...captionsPages.map(({ endMs }) => endMs - videoMs))),
]

const holds = (page: Span, word: Span) => page.startMs <= word.startMs && word.endMs <= page.endMs

/** Planned segments have to cover the video without gaps or overlaps. */
export function segmentChecks(segments: readonly Span[], videoMs: number): QualityCheck[] {
  const ends = [0, ...segments.map(({ endMs }) => endMs)]
  const starts = [...segments.map(({ startMs }) => startMs), videoMs]
  return [
    check(
      'uncoveredMs',
      starts.reduce((sum, startMs, index) => sum + Math.abs(startMs - ends[index]!), 0),
    ),
  ]
}

export const pictureCheck = (empty: number): QualityCheck => check('emptyPictures', empty)

/** Minimum of the brightest sample and of its contrast to the darkest one, of 255. */
const [brightMin, contrastMin] = [24, 8]

/** Whether a picture is black or of one colour, from brightness samples that are spread over it. */
export function isEmptyPicture(points: Uint8Array): boolean {
  let [darkest, brightest] = [255, 0]
  for (const point of points) {
    darkest = Math.min(darkest, point)
    brightest = Math.max(brightest, point)
  }
  return brightest < brightMin || brightest - darkest < contrastMin
}

/** A span that ends before it starts counts as overlapping. */
const overlapping = (spans: readonly Span[]) =>
  spans.filter(({ startMs, endMs }, index) => endMs < startMs || startMs < (spans[index - 1]?.endMs ?? 0)).length

/** The number of words between the longest common prefix and suffix of script and captions. */
function wordsMissing(script: string, words: readonly TimedWord[]): number {
  const expected = script.split(/\s+/).filter(Boolean)
  const actual = words.map(({ text }) => text)
  const length = Math.max(expected.length, actual.length)
  const isEqual = (index: number) => expected[index] === actual[index]
  const isEqualFromEnd = (index: number) => expected.at(-1 - index) === actual.at(-1 - index)
  let [prefix, suffix] = [0, 0]
  while (prefix < length && isEqual(prefix)) prefix++
  while (prefix + suffix < length && isEqualFromEnd(suffix)) suffix++
  return length - prefix - suffix
}
