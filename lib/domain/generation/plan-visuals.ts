/** Plans what is seen while a narration runs: b-roll segments cut where sentences and clauses end. */

import { endsSentence } from '../core/text.ts'
import type { TimedWord } from '../core/timeline-item.ts'
import type { Brief } from '../records/brief.ts'
import { frameSizes } from '../records/brief.ts'
import type { StoredBRoll } from './b-rolls.ts'
import { extractKeywords } from './keywords.ts'
import { presenterLayout, presenterSegmentIndexes } from './presenter-segments.ts'

/** A shot shorter than this flickers, one longer than that bores. */
const shotMsMin = 2_000
const shotMsMax = 5_500
/** Pictures are made larger than the frame, so that a slow zoom never has to invent pixels. */
const overscan = 1.2
/** Of mixed visuals every third moves by itself. */
const footageEvery = 3

/** A still is named by what can be seen on it, however long it is shown: another voice or a shifted word draws nothing anew. */
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

/** A segment that was there before. */
export interface ExistingShot {
  segment: StoredBRoll
  /** What it is to show; null where it stays as it is. */
  wish: VisualRequest | null
}

/** What a brief says of the pictures. */
type VisualBrief = Pick<
  Brief,
  'imageStyle' | 'aspectRatio' | 'connectedBRolls' | 'characterDescription' | 'customStyleText' | 'presenter'
>

export interface VisualPlanInput {
  words: readonly TimedWord[]
  durationMs: number
  brief: VisualBrief
  mood: string | null
  /** One seed a video: its pictures look related. */
  seed: string
  /** False makes one picture for the whole video. */
  addBRolls: boolean
  idOf: (index: number) => string
}

/** The segments of a video that is generated again. */
interface ExistingBRolls {
  segments: readonly StoredBRoll[]
  /** Whether the client has changed them since they were planned. */
  edited: boolean
  /** Whether the narration is still the one that they were planned for. */
  sameNarration: boolean
}

/**
 * What is seen after a requeue. Without `addBRolls` the segments stay as they are. With it those that the client edited stay too, and
 * get the media that they lack or that shows something else; where nobody edited them, or where other words are spoken, they
 * are planned anew.
 */
export function replanVisuals(
  input: VisualPlanInput,
  { segments, edited, sameNarration }: ExistingBRolls,
): { plan: (PlannedShot | ExistingShot)[]; isNew: boolean } {
  if (!input.addBRolls) return { plan: segments.map((segment) => ({ segment, wish: null })), isNew: false }
  if (!edited || !sameNarration || segments.length === 0) return { plan: planVisuals(input), isNew: true }
  const { durationMs } = input
  // A presenter speaks the narration, whatever the prompt of the segment says; and nothing is seen after the film.
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

/** What a segment wants to show: the same segment of the same video always wants the same. Footage was filmed before it was asked for. */
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
  const wanted = prompt || text
  return { prompt: wanted, keywords: keywords.length > 0 ? keywords : extractKeywords(wanted) }
}

/** How large a still is drawn. Even numbers: four pixels share one colour sample. */
export function stillSize(aspectRatio: Brief['aspectRatio']): { width: number; height: number } {
  const { width, height } = frameSizes[aspectRatio]
  return { width: 2 * Math.round((width * overscan) / 2), height: 2 * Math.round((height * overscan) / 2) }
}

function mediaTypeAt(index: number, imageStyle: Brief['imageStyle']): 'ai_image' | 'stock_footage' {
  if (imageStyle !== 'mixed') return imageStyle
  return index % footageEvery === 1 ? 'stock_footage' : 'ai_image'
}

/** Cuts the words into shots: at sentence ends once a shot is long enough, at commas or anywhere once it is too long. */
function shotsOf(words: readonly TimedWord[]): TimedWord[][] {
  const shots: TimedWord[][] = []
  let shot: TimedWord[] = []
  words.forEach((word, index) => {
    shot.push(word)
    const lastsMs = (words[index + 1]?.startMs ?? word.endMs) - shot[0]!.startMs
    const sentence = endsSentence(word.text) && lastsMs >= shotMsMin
    const clause = /[,;:–—]$/.test(word.text) && lastsMs >= shotMsMax * 0.7
    if (sentence || clause || lastsMs >= shotMsMax) {
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
