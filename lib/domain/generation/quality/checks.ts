/**
 * The quality gate: what must hold before a generation is called complete. Every check is a number that may be so large at most,
 * measured on what was really made; nobody's word is taken for it.
 */

import type { JobErrorCode } from '../../core/failures.ts'
import { JobFailure } from '../../core/failures.ts'
import type { Span, TimedWord } from '../../core/timeline-item.ts'
import { type QualityCheck, type QualityName, rules } from '../../records/quality.ts'
import type { CaptionPage, CaptionWord } from '../captions/captions.ts'
import type { AudioAnalysis } from './audio-analysis.ts'
import { longestSilenceMs, voiceOffsetMs, wordsInSilencePercent } from './timing.ts'

/** What a check counts. */
export const checkLabel = (name: QualityName): string => rules[name].label

function check(name: QualityName, exactly: number): QualityCheck {
  const { limit } = rules[name]
  const measured = Math.round(exactly * 10) / 10
  return { name, passed: measured <= limit, measured, limit }
}

/** What is wrong, as a sentence for the client; undefined where nothing is. */
function failureMessage(checks: readonly QualityCheck[]): string | undefined {
  const failed = checks.filter(({ passed }) => !passed)
  if (failed.length === 0) return undefined
  return `${failed.map(({ name, measured, limit }) => `${checkLabel(name)}: ${measured} (at most ${limit})`).join('; ')}.`
}

/** The checks as they are; ends the job where what its last stage made did not pass them. */
export function requirePassed(checks: QualityCheck[], code: JobErrorCode): QualityCheck[] {
  const complaint = failureMessage(checks)
  if (complaint) throw new JobFailure(code, `The result did not pass the quality check: ${complaint}`)
  return checks
}

/** Where platforms want speech, and where the renderer brings it. */
const publishedLufs = -14

/** The words of a narration against the script that it speaks, and against its own sound. */
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

/** Words against a voice that need not be the one that they were taken from. */
export const timingChecks = (words: readonly TimedWord[], audio: AudioAnalysis): QualityCheck[] => [
  check('voiceOffsetMs', voiceOffsetMs(words, audio)),
  check('wordsInSilencePercent', wordsInSilencePercent(words, audio)),
]

/** What is heard of a film. */
export const renderChecks = ({ loudnessLufs }: AudioAnalysis): QualityCheck[] => [
  check('filmLoudnessGapLu', gapLu(loudnessLufs)),
]

/** Of silence too, a number is stored. */
const gapLu = (loudnessLufs: number) => Math.min(Math.abs(publishedLufs - loudnessLufs), 200)

/** Words that lie one after the other within the sound: what holds of every transcript. */
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

/** Segments that were planned as one row: each begins where the one before it ends, from the beginning to the end of the video. */
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

/** How bright the brightest point has to be, and how much brighter than the darkest one; of 255. */
const [brightMin, contrastMin] = [24, 8]

/** Whether a picture is black or of one colour, from the brightness of points that are spread over it. */
export function isEmptyPicture(points: Uint8Array): boolean {
  let [darkest, brightest] = [255, 0]
  for (const point of points) {
    darkest = Math.min(darkest, point)
    brightest = Math.max(brightest, point)
  }
  return brightest < brightMin || brightest - darkest < contrastMin
}

/** A span that ends before it begins lies over itself. */
const overlapping = (spans: readonly Span[]) =>
  spans.filter(({ startMs, endMs }, index) => endMs < startMs || startMs < (spans[index - 1]?.endMs ?? 0)).length

/** How many words lie between the beginning and the end that script and captions have in common. */
function wordsMissing(script: string, words: readonly TimedWord[]): number {
  const wanted = script.split(/\s+/).filter(Boolean)
  const said = words.map(({ text }) => text)
  const most = Math.max(wanted.length, said.length)
  const isAlike = (index: number) => wanted[index] === said[index]
  const isAlikeFromEnd = (index: number) => wanted.at(-1 - index) === said.at(-1 - index)
  let [first, last] = [0, 0]
  while (first < most && isAlike(first)) first++
  while (first + last < most && isAlikeFromEnd(last)) last++
  return most - first - last
}
