/** Plans the visuals of a narration: b-roll segments, cut at the ends of sentences and clauses, and a request for each. */

import { endsSentence } from '../core/text.ts'
import type { TimedWord } from '../core/timeline-item.ts'
import type { Brief } from '../records/brief.ts'
import { frameSizes } from '../records/brief.ts'
import type { StoredBRoll } from './b-rolls.ts'
import { extractKeywords } from './keywords.ts'
import { presenterLayout, presenterSegmentIndexes } from './presenter-segments.ts'

/** A shorter shot flickers, a longer one bores. */
const shotMsMin = 2_000
const shotMsMax = 5_500
/** Stills are larger than the frame, so that a slow zoom never upscales. */
const overscan = 1.2
/** Of mixed visuals, every third is footage. */
const footageEvery = 3

/** The input of one still or clip. A still has no duration: another voice or shifted words reuse the stored still. */
export type VisualRequest = ({ kind: 'still' } & Look) | ({ kind: 'clip'; durationMs: number } & Look)

interface Look {
  prompt: string
  keywords: string[]
  mood: string | null
  width: number
  height: number
  seed: string
}

export interface PlannedShot {
  segment: Omit<StoredBRoll, 'media'>
  wish: VisualRequest
}

/** A segment from before a requeue. */
export interface ExistingShot {
  segment: StoredBRoll
  /** The visual to make; null if the segment stays as it is. */
  wish: VisualRequest | null
}

/** The fields of a brief that describe its visuals. */
type VisualBrief = Pick<
  Brief,
  'imageStyle' | 'aspectRatio' | 'connectedBRolls' | 'characterDescription' | 'customStyleText' | 'presenter'
>

export interface VisualPlanInput {
  words: readonly TimedWord[]
  durationMs: number
  brief: VisualBrief
  mood: string | null
  /** One seed per video makes its pictures look related. */
  seed: string
  /** False: one picture for the whole video. */
  addBRolls: boolean
  idOf: (index: number) => string
}

/** The current segments of a video that is generated again. */
interface ExistingBRolls {
  segments: readonly StoredBRoll[]
  /** Whether the client has changed them since they were planned. */
  edited: boolean
  /** Whether they were planned for the current narration. */
  sameNarration: boolean
}

/**
 * The plan of a requeue. Without `addBRolls` the segments stay as they are. With it, segments that the client edited stay and
 * get missing or outdated media; unedited segments, or those of another narration, are planned again.
 */
export function replanVisuals(
  input: VisualPlanInput,
  { segments, edited, sameNarration }: ExistingBRolls,
): { plan: (PlannedShot | ExistingShot)[]; isNew: boolean } {
  if (!input.addBRolls) return { plan: segments.map((segment) => ({ segment, wish: null })), isNew: false }
  if (!edited || !sameNarration || segments.length === 0) return { plan: planVisuals(input), isNew: true }
  const { durationMs } = input
  // No request for a presenter's segment, whose media is the presenter, or for one after the end of the video.
  const requestOf = (segment: StoredBRoll, before: StoredBRoll | undefined) =>
    segment.presenter || segment.startMs >= durationMs
      ? null
      : requestFor({ ...segment, endMs: Math.min(segment.endMs, durationMs) }, before, input)
  const plan = segments.map((segment, index) => ({ segment, wish: requestOf(segment, segments[index - 1]) }))
  return { plan, isNew: false }
}

export function planVisuals(input: VisualPlanInput): PlannedShot[] {
  const { words, durationMs, brief, seed, addBRolls, idOf } = input
  const groups = addBRolls && words.length > 0 ? shotsOf(words) : [[...words]]
  const presented = addBRolls ? presenterSegmentIndexes(groups.length, brief, seed) : new Set<number>()
  const segments = groups.map((group, index): PlannedShot['segment'] => {
    const startMs = index === 0 ? 0 : group[0]!.startMs
    const endMs = groups[index + 1]?.[0]?.startMs ?? durationMs
    const text = group.map((word) => word.text).join(' ')
    const keywords = extractKeywords(text)
    const mediaType = mediaTypeAt(index, brief.imageStyle)
    const layout = presented.has(index) ? { layout: presenterLayout } : {}
    return { id: idOf(index), startMs, endMs, text, prompt: text, keywords, mediaType, hidden: false, ...layout }
  })
  return segments.map((segment, index) => ({ segment, wish: requestFor(segment, segments[index - 1], input) }))
}

type Shot = PlannedShot['segment']

/** The request for a segment: deterministic, so that stored media is found again. Footage ignores the look: it exists already. */
function requestFor(
  segment: Shot,
  before: Shot | undefined,
  { brief, mood, seed }: Pick<VisualPlanInput, 'brief' | 'mood' | 'seed'>,
): VisualRequest {
  const { prompt, keywords } = subjectOf(segment)
  if (segment.mediaType !== 'ai_image') {
    const durationMs = segment.endMs - segment.startMs
    return { kind: 'clip', prompt, keywords, mood, seed, ...frameSizes[brief.aspectRatio], durationMs }
  }
  const scene = brief.connectedBRolls && before ? subjectOf(before) : undefined
  const look = [scene && `in the same scene as: ${scene.prompt}`, brief.characterDescription, brief.customStyleText]
  return {
    kind: 'still',
    prompt: [prompt, ...look].filter(Boolean).join('; '),
    keywords: [...new Set([...keywords, ...(scene?.keywords ?? [])])],
    mood,
    seed,
    ...stillSize(brief.aspectRatio),
  }
}

function subjectOf({ text, prompt, keywords }: Shot): { prompt: string; keywords: string[] } {
  const subject = prompt || text
  return { prompt: subject, keywords: keywords.length > 0 ? keywords : extractKeywords(subject) }
}

/** The size of a still, in even numbers: 4:2:0 video shares a colour sample between four pixels. */
export function stillSize(aspectRatio: Brief['aspectRatio']): { width: number; height: number } {
  const { width, height } = frameSizes[aspectRatio]
  return { width: 2 * Math.round((width * overscan) / 2), height: 2 * Math.round((height * overscan) / 2) }
}

function mediaTypeAt(index: number, imageStyle: Brief['imageStyle']): 'ai_image' | 'stock_footage' {
  if (imageStyle !== 'mixed') return imageStyle
  return index % footageEvery === 1 ? 'stock_footage' : 'ai_image'
}

/** Cuts the words into shots: at a sentence end once a shot is long enough, at a comma or anywhere once it is too long. */
function shotsOf(words: readonly TimedWord[]): TimedWord[][] {
  const shots: TimedWord[][] = []
  let shot: TimedWord[] = []
  words.forEach((word, index) => {
    shot.push(word)
    const durationMs = (words[index + 1]?.startMs ?? word.endMs) - shot[0]!.startMs
    const sentence = endsSentence(word.text) && durationMs >= shotMsMin
    const clause = /[,;:–—]$/.test(word.text) && durationMs >= shotMsMax * 0.7
    if (sentence || clause || durationMs >= shotMsMax) {
      shots.push(shot)
      shot = []
    }
  })
  if (shot.length === 0) return shots
  const tooShort = shot.at(-1)!.endMs - shot[0]!.startMs < shotMsMin
  const last = shots.at(-1)
  if (tooShort && last) last.push(...shot)
  else shots.push(shot)
  return shots
}
