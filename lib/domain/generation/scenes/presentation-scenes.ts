/** Scenes of a presentation: designed slides that follow the words. */
import * as v from 'valibot'
import { Refusal } from '../../core/refusal.ts'
import type { MintItemId, Span } from '../../core/timeline-item.ts'
import { byId, itemId, offsetMs, withinSizeLimit } from '../../core/timeline-item.ts'
import type { Video } from '../../records/video.ts'
import type { CaptionWord } from '../captions/captions.ts'
import { refuseOverlappingSpans, wordsBetween } from '../captions/captions.ts'

/** Of one request: ten minutes at a scene a second. */
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

const jsonObject = v.record(v.string(), v.unknown())

export const presentationScene = v.object({
  id: itemId,
  startMs: offsetMs,
  endMs: offsetMs,
  text: v.string(),
  /** The part of the text that stands out. */
  emphasis: v.string(),
  template: v.picklist(templates),
  tone: v.picklist(tones),
  caption: v.picklist(sceneCaptions),
  hidden: v.boolean(),
  /** What is drawn beside the text; `anchors` are the words at which its items appear. */
  visual: v.object({
    type: v.string(),
    items: v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(0)),
    anchors: v.array(v.string()),
  }),
  /** What stands on the slide. */
  content: jsonObject,
  /** How its template is varied. */
  params: jsonObject,
  /** How it comes and goes. */
  direction: jsonObject,
  /** What an editor has composed by hand. */
  composed: jsonObject,
})
export type PresentationScene = v.InferOutput<typeof presentationScene>

/** A scene as a client sends it: all of it is the client's, and only its span is needed. */
type PresentationSceneInput = Partial<Omit<PresentationScene, 'id'>> & Span & { id?: string | null | undefined }

/** When the last word ends; without words undefined. */
export const transcriptEndMs = (words: readonly Pick<CaptionWord, 'endMs'>[]): number | undefined =>
  words.length > 0 ? words.reduce((latest, { endMs }) => Math.max(latest, endMs), 0) : undefined

/** What scenes can lie in: up to the end of the transcript or, without one, of the source. */
export function sceneWindowEndMs({ durationSeconds }: Pick<Video, 'durationSeconds'>, words: readonly CaptionWord[]) {
  const endMs = transcriptEndMs(words) ?? (durationSeconds === null ? undefined : Math.round(durationSeconds * 1000))
  if (endMs === undefined)
    throw new Refusal('warning-source-not-ready', 'Neither a transcript nor a duration of this video is known yet.')
  return endMs
}

/** Half an hour of speech has half as many characters. */
const transcriptLengthMax = 80_000

/** Refuses to cut what nobody said, and more than anybody says in a video: who cuts it is paid by its length. */
export function refuseTranscript(words: readonly CaptionWord[]): void {
  if (words.length === 0)
    throw new Refusal('warning-source-not-ready', 'This video has no transcript that a presentation could follow.')
  const length = words.reduce((sum, { punctuated_word }) => sum + punctuated_word.length + 1, 0)
  if (length > transcriptLengthMax)
    throw new Refusal(
      'warning-invalid-input',
      `The transcript has ${length} characters; a presentation follows ${transcriptLengthMax} at most.`,
    )
}

/**
 * The timeline after an edit: the scenes that were sent, clamped to the window and sorted; one of which nothing is left is dropped.
 * A field that a scene leaves out stays as stored under its id, or begins with a plain default.
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

/** A heading with the words that are spoken meanwhile. */
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
