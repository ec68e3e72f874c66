/** Plans the visuals of a narration: b-roll segments, cut at the ends of sentences and clauses, and a request for each. */

import { endsSentence } from '../core/text.ts'
import type { TimedWord } from '../core/timeline-item.ts'
import type { Brief } from '../records/brief.ts'
import { frameSizes } from '../records/brief.ts'
import type { ScriptBeat } from '../records/script.ts'
import type { StoredBRoll } from './b-rolls.ts'
import { extractKeywords } from './keywords.ts'
import type { PictureScene } from './picture-scene.ts'
import { choosePictures, type PictureShot, type PictureVocabulary, shotsWithoutPicture } from './picture-selection.ts'
import { presenterLayout, presenterSegmentIndexes } from './presenter-segments.ts'

/** Viewers stay where the picture changes every 2 to 3 s; a shorter shot flickers, a longer one bores. */
const shotMsMin = 1_800
/** A whole sentence may be shorter. */
const sentenceMsMin = 1_400
const shotMsMax = 3_600
/** Up to the end of its sentence, rather than leaving a word or two to the next. */
const sentenceMsMax = 3_900
const shotMsAim = 2_600
/** A shot whose words name nothing joins its neighbour up to this length: the camera moves closer within it. */
const joinedMsMax = 6_200
/** The title stands over the first pictures so long. */
const titleMs = 2_500
/** Stills are larger than the frame, so that a slow zoom never upscales. */
const overscan = 1.2
/** Of mixed visuals, every third is footage. */
const footageEvery = 3

/** The input of one still or clip. A still has no duration: another voice or shifted words reuse the stored still. */
export type VisualRequest = ({ kind: 'still' } & Look) | ({ kind: 'clip'; durationMs: number } & Look)

interface Look {
  prompt: string
  keywords: string[]
  /** What a drawn picture shows; absent in requests of before. */
  scene?: PictureScene
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
  /** What drawn pictures are chosen by; without it a request has no scene. */
  pictures?: PictureSource
  idOf: (index: number) => string
}

/** The script of a narration, and the words that name objects. */
export interface PictureSource {
  vocabulary: PictureVocabulary
  title: string
  /** Empty for the client's own text. */
  beats: readonly ScriptBeat[]
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
  const scenes = scenesOfEdited(segments, input)
  // No request for a presenter's segment, whose media is the presenter, or for one after the end of the video.
  const requestOf = (segment: StoredBRoll, index: number) =>
    segment.presenter || segment.startMs >= durationMs
      ? null
      : requestFor(
          { ...segment, endMs: Math.min(segment.endMs, durationMs) },
          segments[index - 1],
          scenes[index],
          input,
        )
  const plan = segments.map((segment, index) => ({ segment, wish: requestOf(segment, index) }))
  return { plan, isNew: false }
}

export function planVisuals(input: VisualPlanInput): PlannedShot[] {
  const segments = plannedSegments(input)
  const scenes = scenesOfPlanned(segments, input)
  return segments.map((segment, index) => ({
    segment,
    wish: requestFor(segment, segments[index - 1], scenes[index], input),
  }))
}

function plannedSegments(input: VisualPlanInput): Shot[] {
  const { words, durationMs, brief, seed, addBRolls, idOf } = input
  const groups = addBRolls && words.length > 0 ? joinUnillustrated(shotsOf(words), input) : [[...words]]
  const presented = addBRolls ? presenterSegmentIndexes(groups.length, brief, seed) : new Set<number>()
  return groups.map((group, index): Shot => {
    const startMs = index === 0 ? 0 : group[0]!.startMs
    const endMs = groups[index + 1]?.[0]?.startMs ?? durationMs
    const text = group.map((word) => word.text).join(' ')
    const keywords = extractKeywords(text)
    const mediaType = mediaTypeAt(index, brief.imageStyle)
    const layout = presented.has(index) ? { layout: presenterLayout } : {}
    // A new sentence fades in; within one, the picture changes on the word.
    const isInSentence = index > 0 && !endsSentence(groups[index - 1]!.at(-1)!.text)
    const transition = isInSentence ? { transition: 'cut' } : {}
    return {
      ...{ id: idOf(index), startMs, endMs, text, prompt: text, keywords, mediaType, hidden: false },
      ...layout,
      ...transition,
    }
  })
}

/** Joins shots without a picture of their own with a neighbour in their sentence, rather than filling them with anything. */
function joinUnillustrated(shots: readonly TimedWord[][], input: VisualPlanInput): TimedWord[][] {
  if (!input.pictures) return [...shots]
  const texts = shots.map(textOf)
  const isBare = shotsWithoutPicture(
    pictureShots(texts, input.words, input.pictures),
    filmOf(input.words, input.pictures),
  )
  const joined: { words: TimedWord[]; isBare: boolean }[] = []
  const canJoin = (before: readonly TimedWord[], after: readonly TimedWord[]) =>
    !endsSentence(before.at(-1)!.text) && after.at(-1)!.endMs - before[0]!.startMs <= joinedMsMax
  for (const [index, words] of shots.entries()) {
    const last = joined.at(-1)
    if (last && (last.isBare || isBare[index]) && canJoin(last.words, words)) {
      // A bare shot goes to the shorter of two neighbours.
      const next = shots[index + 1]
      const isNextShorter =
        !last.isBare && next && !isBare[index + 1] && canJoin(words, next) && spanOf(next) < spanOf(last.words)
      if (!isNextShorter) {
        last.words.push(...words)
        last.isBare &&= isBare[index]!
        continue
      }
    }
    joined.push({ words: [...words], isBare: isBare[index]! })
  }
  return joined.map(({ words }) => words)
}

const textOf = (words: readonly TimedWord[]) => words.map(({ text }) => text).join(' ')
const spanOf = (words: readonly TimedWord[]) => words.at(-1)!.endMs - words[0]!.startMs
const filmOf = (words: readonly TimedWord[], { title, vocabulary }: PictureSource) => ({
  title,
  text: textOf(words),
  vocabulary,
})

/** The scenes of newly planned segments, by the beats that they belong to. */
function scenesOfPlanned(
  segments: readonly Shot[],
  { words, pictures }: VisualPlanInput,
): (PictureScene | undefined)[] {
  if (!pictures) return []
  const shots = pictureShots(
    segments.map(({ text }) => text),
    words,
    pictures,
  )
  return choosePictures(shots, filmOf(words, pictures)).map((scene, index) =>
    segments[index]!.startMs < titleMs ? { ...scene, isOpening: true } : scene,
  )
}

function pictureShots(texts: readonly string[], words: readonly TimedWord[], { beats }: PictureSource): PictureShot[] {
  const lettersTotal = Math.max(1, lettersIn(textOf(words)))
  const beatAt = beatFinder(beats)
  const rests = restsOfSentences(texts)
  let before = 0
  return texts.map((text, index): PictureShot => {
    const letters = lettersIn(text)
    const beat = beatAt((before + letters / 2) / lettersTotal)
    before += letters
    const continued = rests[index]
    return { text, ...(beat && { show: beat.show }), ...(continued && { continued }) }
  })
}

/**
 * The scenes of segments that a client edited: those that are as they were planned keep theirs, so that an edit of one
 * does not change the others; the rest are chosen by their own words.
 */
function scenesOfEdited(segments: readonly StoredBRoll[], input: VisualPlanInput): (PictureScene | undefined)[] {
  if (!input.pictures) return []
  const planned = plannedSegments(input)
  const contentOf = ({ text, prompt, keywords }: Pick<Shot, 'text' | 'prompt' | 'keywords'>) =>
    JSON.stringify([text, prompt, keywords])
  const scenesByContent = new Map<string, PictureScene[]>()
  for (const [index, scene] of scenesOfPlanned(planned, input).entries()) {
    const content = contentOf(planned[index]!)
    if (scene) scenesByContent.set(content, [...(scenesByContent.get(content) ?? []), scene])
  }
  const own = segments.map((segment) => scenesByContent.get(contentOf(segment))?.shift())
  const edited = segments.filter((_, index) => !own[index])
  const chosen = choosePictures(
    edited.map((segment) => ({ text: ownWordsOf(segment) })),
    {
      title: input.pictures.title,
      text: input.words.map(({ text }) => text).join(' '),
      vocabulary: input.pictures.vocabulary,
    },
    own.flatMap((scene) => scene ?? []),
  )
  return own.map((scene) => scene ?? chosen.shift())
}

/** What the client wrote, else what is spoken. */
function ownWordsOf({ text, prompt, keywords }: Shot): string {
  const ownKeywords = String(keywords) === String(extractKeywords(text)) ? [] : keywords
  const own = [...(prompt !== text ? [prompt] : []), ...ownKeywords].filter(Boolean)
  return own.length > 0 ? own.join(', ') : text
}

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** The beat at a share of the text, from 0 to 1: beats hold the text as written, narrations as spoken. */
function beatFinder(beats: readonly ScriptBeat[]): (share: number) => ScriptBeat | undefined {
  const total = beats.reduce((sum, { text }) => sum + lettersIn(text), 0)
  let sum = 0
  const ends = beats.map(({ text }) => {
    sum += lettersIn(text)
    return sum / Math.max(1, total)
  })
  return (share) => beats[ends.findIndex((end) => share < end)] ?? beats.at(-1)
}

/** Longer than a quotation and than the label of a figure: what follows a text of any length is read once. */
const restLengthMax = 400

/** What follows each text up to the end of its sentence. */
function restsOfSentences(texts: readonly string[]): string[] {
  const rests: string[] = texts.map(() => '')
  for (let index = texts.length - 2; index >= 0; index--)
    if (!endsSentence(texts[index]!))
      rests[index] = [texts[index + 1], rests[index + 1]].filter(Boolean).join(' ').slice(0, restLengthMax)
  return rests
}

type Shot = PlannedShot['segment']

/** The request for a segment: deterministic, so that stored media is found again. Footage ignores the look: it exists already. */
function requestFor(
  segment: Shot,
  before: Shot | undefined,
  picture: PictureScene | undefined,
  { brief, mood, seed }: Pick<VisualPlanInput, 'brief' | 'mood' | 'seed'>,
): VisualRequest {
  const { prompt, keywords } = subjectOf(segment)
  const drawn = picture && { scene: picture }
  if (segment.mediaType !== 'ai_image') {
    const durationMs = segment.endMs - segment.startMs
    return { kind: 'clip', prompt, keywords, ...drawn, mood, seed, ...frameSizes[brief.aspectRatio], durationMs }
  }
  const scene = brief.connectedBRolls && before ? subjectOf(before) : undefined
  const look = [scene && `in the same scene as: ${scene.prompt}`, brief.characterDescription, brief.customStyleText]
  return {
    kind: 'still',
    prompt: [prompt, ...look].filter(Boolean).join('; '),
    keywords: [...new Set([...keywords, ...(scene?.keywords ?? [])])],
    ...drawn,
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

/** Words that begin a phrase: a shot may be cut before them. */
const phraseStart =
  /^(?:and|but|or|because|so|that|which|who|when|while|where|if|then|than|to|of|in|on|at|for|with|from|by|into|as|und|oder|weil|dass|wenn|mit|von|auf|für|y|o|que|porque|con|de|en|para|et|ou|parce|qui|avec|dans|pour|e|che|perché|per|porque|com|और|लेकिन|क्योंकि|जो|तो)$/iu

/** Cuts the words into shots: at the ends of sentences and clauses, else before a phrase, never leaving a short rest. */
function shotsOf(words: readonly TimedWord[]): TimedWord[][] {
  const shots: TimedWord[][] = []
  for (let from = 0; from < words.length; ) {
    const to = endOfShot(words, from)
    shots.push(words.slice(from, to))
    from = to
  }
  const [last, before] = [shots.at(-1), shots.at(-2)]
  if (last && before && last.at(-1)!.endMs - last[0]!.startMs < shotMsMin) {
    before.push(...last)
    shots.pop()
  }
  return shots
}

/** The index after the last word of the shot that begins at `from`. */
function endOfShot(words: readonly TimedWord[], from: number): number {
  const startMs = words[from]!.startMs
  const isStart = from === 0 || endsSentence(words[from - 1]!.text)
  const endOf = (index: number) => (words[index + 1]?.startMs ?? words[index]!.endMs) - startMs
  let best: { to: number; worth: number } | undefined
  for (let index = from; index < words.length; index++) {
    const durationMs = endOf(index)
    const isSentence = isStart && endsSentence(words[index]!.text) && durationMs >= sentenceMsMin
    if (durationMs < shotMsMin && !isSentence) continue
    if (durationMs > sentenceMsMax) return best?.to ?? index + 1
    if (durationMs > shotMsMax) {
      if (!best) return index + 1
      const isRestShort = startMs + durationMs - words[best.to]!.startMs < shotMsMin
      if (endsSentence(words[best.to - 1]!.text)) return best.to
      if (endsSentence(words[index]!.text)) return isRestShort ? index + 1 : best.to
      continue
    }
    // Only whether the rest of the sentence is too short for a shot matters.
    let end = index
    while (end < words.length - 1 && !endsSentence(words[end]!.text) && endOf(end) - durationMs < shotMsMin) end++
    const restMs = endOf(end) - durationMs
    const worth =
      cutWorth(words, index) - Math.abs(durationMs - shotMsAim) / 1_000 - (restMs > 0 && restMs < shotMsMin ? 2 : 0)
    if (!best || worth > best.worth) best = { to: index + 1, worth }
  }
  return best?.to ?? words.length
}

/** How well a cut after a word fits. */
function cutWorth(words: readonly TimedWord[], index: number): number {
  const { text } = words[index]!
  if (endsSentence(text)) return 3
  if (/[,;:–—]$/.test(text)) return 2
  return phraseStart.test(words[index + 1]?.text ?? '') && !phraseStart.test(text) ? 1 : 0
}
