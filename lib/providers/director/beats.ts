/** Cuts a transcript into beats: the spans of a presentation that become one scene each. */

import { endsSentence } from '../../domain/core/text.ts'
import type { TimedWord } from '../../domain/core/timeline-item.ts'
import { presentationScenesMax, transcriptEndMs } from '../../domain/generation/scenes/presentation-scenes.ts'
import type { Beat } from './beat.ts'
import { phrasePatterns } from './phrase-patterns.ts'
import { datedEvents, quotationIn } from './slide-content.ts'

/** A shorter slide cannot be read, a longer one bores. */
const beatMsMin = 2_200
const beatMsMax = 7_000
/** Consecutive steps share one slide, which may last longer. */
const stepsMsMax = 14_000

/** Beats in order from 0 to the end of the last word, without gaps, at most `presentationScenesMax`. */
export function beatsOf(transcript: readonly TimedWord[]): Beat[] {
  const words = transcript.filter(({ text }) => text.trim()).toSorted((a, b) => a.startMs - b.startMs)
  const end = transcriptEndMs(words) ?? 0
  if (end === 0) return []
  const groups = groupsOf(words, end)
  return groups.map((group, index) => ({
    startMs: index === 0 ? 0 : group[0]!.startMs,
    endMs: groups[index + 1]?.[0]?.startMs ?? end,
    words: group,
    text: textOf(group),
  }))
}

const textOf = (words: readonly TimedWord[]) => words.map(({ text }) => text.trim()).join(' ')

/**
 * Factor of the shortest duration for the last beat, to which the video leads, and for a beat that introduces steps.
 */
const shortBeatFactor = 0.6

/** One group of words per scene, in order. */
function groupsOf(words: readonly TimedWord[], end: number): TimedWord[][] {
  const shortest = Math.max(beatMsMin, end / (presentationScenesMax * shortBeatFactor))
  const sentences = splitAfter(words, ({ text }) => endsSentence(text))
  const joined = joinShort(joinDated(joinQuotations(joinSteps(sentences))), end, shortest)
  return joined.flatMap((group, index) => {
    const endMs = joined[index + 1]?.[0]?.startMs ?? end
    return isSequence(group) || staysWhole(group) ? [group] : joinShort(clausesOf(group), endMs, shortest)
  })
}

/** Dated clauses and a quotation share a slide, as long as a list of steps may. */
const staysWhole = (group: readonly TimedWord[]) => {
  const text = textOf(group)
  const lastsMs = group.at(-1)!.endMs - group[0]!.startMs
  return lastsMs <= stepsMsMax && (datedEvents(text).length >= 2 || quotationIn(text) !== undefined)
}

const isSequence = (group: readonly TimedWord[]) => phrasePatterns.step.test(textOf(group))

/** Starts a new group after each word for which `ends` is true. */
function splitAfter(
  words: readonly TimedWord[],
  ends: (word: TimedWord, group: readonly TimedWord[], next: TimedWord) => boolean,
): TimedWord[][] {
  const groups: TimedWord[][] = [[]]
  words.forEach((word, index) => {
    const group = groups.at(-1)!
    group.push(word)
    const next = words[index + 1]
    if (next && ends(word, group, next)) groups.push([])
  })
  return groups
}

/** Cuts a long group at a clause mark, or at the maximal duration. */
const clausesOf = (group: readonly TimedWord[]) =>
  splitAfter(group, ({ text }, clause, next) => {
    const lastsMs = next.startMs - clause[0]!.startMs
    return lastsMs >= beatMsMax || (/[,;:–—、，；：]$/.test(text) && lastsMs >= beatMsMax / 2)
  })

/** Joins consecutive steps. */
function joinSteps(groups: readonly TimedWord[][]): TimedWord[][] {
  const joined: TimedWord[][] = []
  for (const group of groups) {
    const before = joined.at(-1)
    const fits = before && group.at(-1)!.endMs - before[0]!.startMs <= stepsMsMax
    if (fits && isSequence(before) && isSequence(group)) before.push(...group)
    else joined.push([...group])
  }
  return joined
}

/** Joins sentences as long as a quotation is open. */
function joinQuotations(groups: readonly TimedWord[][]): TimedWord[][] {
  const joined: TimedWord[][] = []
  for (const group of groups) {
    const before = joined.at(-1)
    const fits = before && group.at(-1)!.endMs - before[0]!.startMs <= stepsMsMax
    if (fits && isQuotationOpen(textOf(before)) && /["”»]/u.test(textOf(group))) before.push(...group)
    else joined.push([...group])
  }
  return joined
}

const isQuotationOpen = (text: string) =>
  (text.match(/"/g) ?? []).length % 2 === 1 ||
  Math.max(text.lastIndexOf('“'), text.lastIndexOf('«')) > Math.max(text.lastIndexOf('”'), text.lastIndexOf('»'))

/** Joins consecutive sentences that begin with a year. */
function joinDated(groups: readonly TimedWord[][]): TimedWord[][] {
  const joined: TimedWord[][] = []
  for (const group of groups) {
    const before = joined.at(-1)
    const fits = before && group.at(-1)!.endMs - before[0]!.startMs <= stepsMsMax
    if (fits && beginsWithYear(before) && beginsWithYear(group)) before.push(...group)
    else joined.push([...group])
  }
  return joined
}

const beginsWithYear = (group: readonly TimedWord[]) =>
  group.slice(0, 4).some(({ text }) => /^(?:1[5-9]|20)\d\d[,:]?$/.test(text.trim()))

/** Joins a short group to the next one; to the previous one where steps follow, or at the end. */
function joinShort(groups: readonly TimedWord[][], endMs: number, shortest: number): TimedWord[][] {
  const joined: TimedWord[][] = [[]]
  groups.forEach((group, index) => {
    const open = joined.at(-1)!
    open.push(...group)
    const next = groups[index + 1]
    if (!next) return
    const beforeSteps = isSequence(next) && !isSequence(open)
    const isLong = next[0]!.startMs - open[0]!.startMs >= shortest * (beforeSteps ? shortBeatFactor : 1)
    const goesBack = !isLong && beforeSteps && joined.length > 1
    if (goesBack) joined.at(-2)!.push(...joined.pop()!)
    if (isLong || goesBack) joined.push([])
  })
  const last = joined.at(-1)!
  if (joined.length === 1 || endMs - last[0]!.startMs >= shortest * shortBeatFactor) return joined
  return [...joined.slice(0, -2), [...joined.at(-2)!, ...last]]
}
