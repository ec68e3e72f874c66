/** The brief: what a client requests. The only home of its value sets and limits; requests and records are built from them. */
import * as v from 'valibot'
import { boundedList, boundedText, nameLengthMax, normalUrl, urlLengthMax } from '../core/bounded.ts'

export const videoTypes = ['video', 'faceless', 'ai'] as const
/** A brief can create only these; a `video` comes from an upload. */
export const generatedTypes = ['faceless', 'ai'] as const
const inputModes = ['auto', 'idea', 'script'] as const
const imageStyles = ['stock_footage', 'ai_image', 'mixed'] as const
const presenterPlacements = ['first', 'last', 'random', 'all'] as const

/** Longest narration of each `videoDuration`, in seconds. */
export const durationSecondsMax = { subminute: 60, short: 180, medium: 600 } as const
const videoDurations = ['subminute', 'short', 'medium'] as const

/** Frame size in pixels of each aspect ratio. */
export const frameSizes = {
  '9:16': { width: 1080, height: 1920 },
  '16:9': { width: 1920, height: 1080 },
  '1:1': { width: 1080, height: 1080 },
  '4:5': { width: 1080, height: 1350 },
} as const
const aspectRatios = ['9:16', '16:9', '1:1', '4:5'] as const

/** Of a script: enough for ten minutes of speech; small enough for a response with a page of a hundred videos. */
export const scriptLengthMax = 12_000
export const promptLengthMax = 4_000
/** Of the description and of every other free text. */
export const freeTextLengthMax = 2_000
export const titleLengthMax = 200
const text = boundedText(freeTextLengthMax)
const nameText = boundedText(nameLengthMax)
/** A value of an open set: an unknown one gives the generic look. */
export const openName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9_-]{1,40}$/, 'must be 1 to 40 letters, digits, "_" or "-"'),
)
export const webUrl = v.pipe(
  boundedText(urlLengthMax),
  v.url('must be a URL'),
  v.regex(/^https?:\/\//i, 'must be an http or https URL'),
  normalUrl(),
)

export const assetsMax = 50
export const presentationAsset = v.object({
  type: openName,
  url: webUrl,
  description: v.optional(boundedText(1_000), ''),
})

export const presenter = v.partial(
  v.object({
    imageUrl: webUrl,
    avatarId: nameText,
    name: nameText,
    placement: v.picklist(presenterPlacements),
    occurrences: v.pipe(v.number(), v.safeInteger('must be a whole number'), v.minValue(1)),
  }),
)

/** The brief as it is stored and shown. */
export const brief = v.object({
  prompt: v.nullable(boundedText(promptLengthMax)),
  text: v.nullable(boundedText(scriptLengthMax)),
  scriptPrompt: v.nullable(text),
  description: v.nullable(text),
  descriptionPrompt: v.nullable(text),
  inputMode: v.picklist(inputModes),
  videoDuration: v.picklist(videoDurations),
  language: nameText,
  aspectRatio: v.picklist(aspectRatios),
  imageStyle: v.picklist(imageStyles),
  connectedBRolls: v.boolean(),
  customStyleText: v.nullable(text),
  voiceId: nameText,
  voiceProvider: v.picklist(['standard', 'expressive']),
  showSubtitles: v.boolean(),
  presentationTone: v.nullable(openName),
  presentationAssets: boundedList(presentationAsset, assetsMax),
  presenter: v.nullable(presenter),
  targetDuration: v.nullable(v.pipe(v.number(), v.minValue(1), v.maxValue(durationSecondsMax.medium))),
  characterImageUrl: v.nullable(webUrl),
  characterDescription: v.nullable(text),
})
export type Brief = v.InferOutput<typeof brief>

/** Whether the narration is the client's own text; otherwise a script is written from the idea. */
export const speaksOwnText = ({ inputMode, text }: Brief) =>
  inputMode === 'script' || (inputMode === 'auto' && Boolean(text?.trim()))

/** The longest video that the brief allows, in seconds. */
export const requestedSecondsMax = (brief: Pick<Brief, 'targetDuration' | 'videoDuration'>) =>
  brief.targetDuration ?? durationSecondsMax[brief.videoDuration]

/** A working title of at most 60 characters, cut between words, until the script gives a better one. */
export function workingTitle(brief: Pick<Brief, 'prompt' | 'text'>): string {
  const line = (brief.prompt?.trim() || brief.text?.trim() || '').replace(/\s+/g, ' ')
  const characters = Array.from(line)
  if (characters.length <= 60) return line
  const cut = characters.slice(0, 59).join('')
  return `${cut.slice(0, cut.lastIndexOf(' ') > 20 ? cut.lastIndexOf(' ') : undefined)}…`
}
