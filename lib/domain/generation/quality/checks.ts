/**
 * The quality gate: what must hold before a generation is called complete. Every check is a number that may be so large at most,
 * measured on what was really made; nobody's word is taken for it.
 */

import type { Span } from '../../core/timeline-item.ts'
import type { JobErrorCode } from '../../records/jobs.ts'
import { JobFailure } from '../../records/jobs.ts'
import type { CaptionPage, CaptionWord, HeardWord } from '../captions/captions.ts'
import { longestSilenceMs, voiceOffsetMs, wordsInSilencePercent } from './timing.ts'

/** Each check: what it may measure at most, and what is said to be too much where it is more. Units stand at the end of the names. */
const rules = {
  wordsMissing: { limit: 0, told: 'words of the script that are missing or out of order' },
  wordsOverlapping: { limit: 0, told: 'words that overlap' },
  wordsBeyondMs: { limit: 0, told: 'milliseconds for which words go on after the sound' },
  voiceOffsetMs: { limit: 80, told: 'milliseconds between the words and the voice' },
  wordsInSilencePercent: { limit: 10, told: 'percent of the words under which nothing is heard' },
  silenceMs: { limit: 5_000, told: 'milliseconds of silence' },
  // What the renderer can make up for, and still sound like a voice.
  loudnessGapLu: { limit: 30, told: 'loudness units between the voice and what is published' },
  // Platforms turn louder films down, and quieter ones up.
  filmLoudnessGapLu: { limit: 1, told: 'loudness units between the film and what is published' },
  pagesOverlapping: { limit: 0, told: 'caption pages that overlap' },
  wordsUnpaged: { limit: 0, told: 'words on no caption page' },
  // A page stays for a moment after its last word, and the film may end before that moment does.
  pagesBeyondMs: { limit: 250, told: 'milliseconds for which caption pages go on after the video' },
  uncoveredMs: { limit: 0, told: 'milliseconds with no segment or with several' },
  emptyPictures: { limit: 0, told: 'pictures that show nothing' },
} satisfies Record<string, { limit: number; told: string }>

export const qualityNames = Object.keys(rules) as [QualityName, ...QualityName[]]
export type QualityName = keyof typeof rules
/** What a check counts. */
export const told = (name: QualityName): string => rules[name].told

export interface QualityCheck {
  name: QualityName
  passed: boolean
  measured: number
  limit: number
}

export interface Quality {
  passed: boolean
  checks: QualityCheck[]
}

function check(name: QualityName, exactly: number): QualityCheck {
  const { limit } = rules[name]
  const measured = Math.round(exactly * 10) / 10
  return { name, passed: measured <= limit, measured, limit }
}

export const qualityOf = (checks: readonly QualityCheck[]): Quality => ({
  passed: checks.every(({ passed }) => passed),
  checks: worstOf(checks),
})

/** What is wrong, as a sentence for the client; undefined where nothing is. */
function complaintOf(checks: readonly QualityCheck[]): string | undefined {
  const failed = checks.filter(({ passed }) => !passed)
  if (failed.length === 0) return undefined
  return `${failed.map(({ name, measured, limit }) => `${told(name)}: ${measured} (at most ${limit})`).join('; ')}.`
}

/** The checks as they are; ends the job where what its last stage made did not pass them. */
export function requirePassed(checks: QualityCheck[], code: JobErrorCode): QualityCheck[] {
  const complaint = complaintOf(checks)
  if (complaint) throw new JobFailure(code, `The result did not pass the quality check: ${complaint}`)
  return checks
}

/** Of what was measured several times, the worst of each. */
export const worstOf = (all: readonly QualityCheck[]): QualityCheck[] =>
  qualityNames.flatMap((name) => {
    const alike = all.filter((one) => one.name === name)
    return alike.length === 0 ? [] : alike.reduce((worst, one) => (one.measured > worst.measured ? one : worst))
  })

/** What can be heard in a sound. */
export interface Hearing {
  durationMs: number
  /** -Infinity where nothing is heard. */
  loudnessLufs: number
  windowMs: number
  /** For each window, from the beginning: whether anything sounds in it. */
  sounds: readonly boolean[]
}

/** Where platforms want speech, and where the renderer brings it. */
const publishedLufs = -14

/** The words of a narration against the script that it speaks, and against its own sound. */
export function narrationChecks(script: string, words: readonly HeardWord[], hearing: Hearing): QualityCheck[] {
  const { durationMs, loudnessLufs } = hearing
  return [
    check('wordsMissing', wordsMissing(script, words)),
    ...wordChecks(words, durationMs),
    ...timingChecks(words, hearing),
    check('silenceMs', longestSilenceMs(hearing)),
    check('loudnessGapLu', gapLu(loudnessLufs)),
  ]
}

/** Words against a voice that need not be the one that they were taken from. */
export const timingChecks = (words: readonly HeardWord[], hearing: Hearing): QualityCheck[] => [
  check('voiceOffsetMs', voiceOffsetMs(words, hearing)),
  check('wordsInSilencePercent', wordsInSilencePercent(words, hearing)),
]

/** What is heard of a film. */
export const filmChecks = ({ loudnessLufs }: Hearing): QualityCheck[] => [
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
function wordsMissing(script: string, words: readonly HeardWord[]): number {
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
