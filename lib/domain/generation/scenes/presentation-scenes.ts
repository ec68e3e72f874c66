/** Scenes of a presentation: slides that follow the transcript. Schemas, limits and edits. */
import * as v from 'valibot'
import { boundedText, listOf } from '../../core/bounded.ts'
import { Refusal } from '../../core/refusal.ts'
import type { MintItemId, Span } from '../../core/timeline-item.ts'
import {
  byId,
  itemId,
  offsetMs,
  spokenTextLengthMax,
  timelineItemsMax,
  withinSizeLimit,
} from '../../core/timeline-item.ts'
import { freeTextLengthMax } from '../../records/brief.ts'
import type { Video } from '../../records/video.ts'
import type { CaptionWord } from '../captions/captions.ts'
import { captionWordLengthMax, refuseOverlappingSpans, wordsBetween } from '../captions/captions.ts'

/** Per request: ten minutes at one scene per second. A generated timeline has at most one for each spoken word. */
export const presentationScenesMax = 600

export const templates = [
  'heroTitle',
  'flowSteps',
  'bulletList',
  'bigNumber',
  'quote',
  'comparison',
  'timeline',
  'imageFull',
  'callToAction',
] as const
export type Template = (typeof templates)[number]
export const tones = ['light', 'dark', 'accent'] as const
export type Tone = (typeof tones)[number]
const sceneCaptions = ['show', 'hide'] as const

export const visualTypeLengthMax = 100
export const anchorsMax = 100

const jsonObject = v.record(v.string(), v.unknown())

export const presentationScene = v.object({
  id: itemId,
  startMs: offsetMs,
  endMs: offsetMs,
  text: boundedText(spokenTextLengthMax),
  /** The part of the text that stands out. */
  emphasis: boundedText(freeTextLengthMax),
  template: v.picklist(templates),
  tone: v.picklist(tones),
  caption: v.picklist(sceneCaptions),
  hidden: v.boolean(),
  /** The graphic next to the text; `anchors` are the words at which its items appear. */
  visual: v.object({
    type: boundedText(visualTypeLengthMax),
    items: v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(0)),
    anchors: listOf(boundedText(captionWordLengthMax), anchorsMax),
  }),
  /** The content of the slide. */
  content: jsonObject,
  /** Parameters of the template. */
  params: jsonObject,
  /** Entry and exit animations. */
  direction: jsonObject,
  /** A manual composition by an editor. */
  composed: jsonObject,
})
/** The scenes of a presentation. */
export const presentationTimeline = listOf(presentationScene, timelineItemsMax)
export type PresentationScene = v.InferOutput<typeof presentationScene>

/** A scene of a request: every field may be set, only the span is required. */
type PresentationSceneInput = Partial<Omit<PresentationScene, 'id'>> & Span & { id?: string | null | undefined }

/** The end of the last word; undefined without words. */
export const transcriptEndMs = (words: readonly Pick<CaptionWord, 'endMs'>[]): number | undefined =>
  words.length > 0 ? words.reduce((latest, { endMs }) => Math.max(latest, endMs), 0) : undefined

/** The end of the window for scenes: of the transcript or, without one, of the source. */
export function sceneWindowEndMs({ durationSeconds }: Pick<Video, 'durationSeconds'>, words: readonly CaptionWord[]) {
  const endMs = transcriptEndMs(words) ?? (durationSeconds === null ? undefined : Math.round(durationSeconds * 1000))
  if (endMs === undefined)
    throw new Refusal('warning-source-not-ready', 'The video has neither a transcript nor a duration yet.')
  return endMs
}

/** Twice the characters of half an hour of speech. */
const transcriptLengthMax = 80_000

/** Refuses an empty transcript, and one that is too long for any video: the director is paid by its length. */
export function refuseTranscript(words: readonly CaptionWord[]): void {
  if (words.length === 0)
    throw new Refusal('warning-source-not-ready', 'This video has no transcript for a presentation to follow.')
  const length = words.reduce((sum, { punctuated_word }) => sum + punctuated_word.length + 1, 0)
  if (length > transcriptLengthMax)
    throw new Refusal(
      'warning-invalid-input',
      `The transcript has ${length} characters; the maximum for a presentation is ${transcriptLengthMax}.`,
    )
}

/**
 * The timeline after an edit: the sent scenes, clamped to the window and sorted; scenes outside the window are dropped. An
 * absent field keeps the value stored under the scene's id, or gets a default.
 */
export function mergePresentationScenes(
  video: Pick<Video, 'durationSeconds'>,
  stored: { captions: readonly CaptionWord[]; presentationScenes: readonly PresentationScene[] },
  sent: readonly PresentationSceneInput[],
  mint: MintItemId,
): PresentationScene[] {
  const windowMs = sceneWindowEndMs(video, stored.captions)
  const before = byId(stored.presentationScenes)
  refuseOverlappingSpans(
    stored.captions,
    sent.filter(({ id, text }) => text === undefined && !(id && before.has(id))),
  )
  const scenes = sent
    .map((scene) => ({ ...scene, startMs: Math.max(scene.startMs, 0), endMs: Math.min(scene.endMs, windowMs) }))
    .filter(({ startMs, endMs }) => endMs > startMs)
    .toSorted((a, b) => a.startMs - b.startMs)
    .map(({ id, ...fields }) => {
      const known = id ? before.get(id) : undefined
      return { ...(known ?? blankScene(fields, stored.captions)), ...fields, id: id ?? mint('psc') }
    })
  return withinSizeLimit(scenes)
}

const textOf = (words: readonly CaptionWord[]) => words.map(({ punctuated_word }) => punctuated_word).join(' ')

/** A heading with the words of its span. */
const blankScene = (
  { startMs, endMs, text }: Span & { text?: string },
  words: readonly CaptionWord[],
): Omit<PresentationScene, 'id'> => ({
  startMs,
  endMs,
  text: text ?? textOf(wordsBetween(words, startMs, endMs)),
  emphasis: '',
  template: 'heroTitle',
  tone: 'light',
  caption: 'show',
  hidden: false,
  visual: { type: 'none', items: 0, anchors: [] },
  content: {},
  params: {},
  direction: {},
  composed: {},
})
