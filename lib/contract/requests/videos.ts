/** Bodies and queries of the routes that create, list, read and edit videos. */
import * as v from 'valibot'
import { boundedList, boundedText, nameLengthMax, nonBlankText } from '../../domain/core/bounded.ts'
import { plainObject } from '../../domain/core/plain-object.ts'
import { videoStatuses } from '../../domain/core/states.ts'
import type { Brief } from '../../domain/records/brief.ts'
import {
  assetsMax,
  brief,
  generatedTypes,
  openName,
  presentationAsset,
  presenter,
  promptLengthMax,
  scriptLengthMax,
  titleLengthMax,
  videoTypes,
} from '../../domain/records/brief.ts'
import { themeConfig } from '../../domain/records/theme.ts'
import { timelineNames } from '../../domain/records/video.ts'
import type { VideoInput } from '../../domain/videos/create-video.ts'
import { builtInVoices, languageOf, languagesOf, selectVoice, type Voice } from '../../domain/videos/voices.ts'
import { commaList, hasField, lenientFilter, pageQuery } from '../schemas.ts'

export const listVideosQuery = v.object({
  ...pageQuery,
  type: lenientFilter(videoTypes),
  subType: v.optional(boundedText(40)),
  status: lenientFilter(videoStatuses),
  search: v.optional(boundedText(100)),
})

/** What `GET /videos/{id}` can add to a video. */
export const includable = [...timelineNames, 'script'] as const
export const getVideoQuery = v.object({ include: commaList(includable) })

const known = brief.entries

/** Absent and null mean the same, because records in responses hold nulls. */
const flag = v.nullish(v.boolean())
const title = nonBlankText(titleLengthMax)

/** The allowed values depend on the providers of a deployment, so the OpenAPI document does not list them. */
const offeredValue = (values: string[], meaning: string) =>
  Object.assign(v.picklist(values), { described: v.pipe(boundedText(nameLengthMax), v.description(meaning)) })
const voiceIdOf = (voices: readonly Voice[]) =>
  offeredValue(
    voices.map(({ id }) => id),
    'The id of a voice of `GET /voices`.',
  )

const briefFields = (voices: readonly Voice[]) => ({
  prompt: known.prompt,
  text: known.text,
  scriptPrompt: known.scriptPrompt,
  description: known.description,
  descriptionPrompt: known.descriptionPrompt,
  customStyleText: known.customStyleText,
  presentationTone: known.presentationTone,
  targetDuration: known.targetDuration,
  characterImageUrl: known.characterImageUrl,
  characterDescription: known.characterDescription,
  presenter: v.nullish(plainObject(presenter)),
  inputMode: v.nullish(known.inputMode),
  videoDuration: v.nullish(known.videoDuration),
  language: v.nullish(offeredValue(languagesOf(voices), 'A language that a voice of `GET /voices` has.')),
  aspectRatio: v.nullish(known.aspectRatio),
  imageStyle: v.nullish(known.imageStyle),
  connectedBRolls: flag,
  voiceId: v.nullish(voiceIdOf(voices)),
  voiceProvider: v.nullish(known.voiceProvider),
  showSubtitles: flag,
  presentationAssets: v.nullish(boundedList(plainObject(presentationAsset), assetsMax)),
})

const isNonBlank = (text: string | null | undefined) => Boolean(text?.trim())

/** `true` is allowed only where a blueprint is created. */
const isAutomationFlag = (isBlueprint: boolean) =>
  isBlueprint ? v.boolean() : v.literal(false, 'must be false: create a blueprint with POST /automations')

const createFields = (voices: readonly Voice[], isBlueprint: boolean) =>
  v.object({
    type: v.nullish(v.picklist(generatedTypes)),
    subType: v.nullish(openName),
    title: v.nullish(title),
    mood: v.nullish(openName),
    presentationMood: v.nullish(openName),
    isAutomation: v.nullish(isAutomationFlag(isBlueprint)),
    process: v.nullish(plainObject(v.object({ transcribe: flag, addBRolls: flag, render: flag }))),
    ...v.partial(v.object(briefFields(voices))).entries,
  })

/** Fills in defaults. A voice exists: a body that fits none was refused. */
function toVideoInput(body: v.InferOutput<ReturnType<typeof createFields>>, voices: readonly Voice[]): VideoInput {
  const voice = selectVoice(voices, body)!
  const completeBrief: Brief = {
    prompt: body.prompt ?? null,
    text: body.text ?? null,
    scriptPrompt: body.scriptPrompt ?? null,
    description: body.description ?? null,
    descriptionPrompt: body.descriptionPrompt ?? null,
    inputMode: body.inputMode ?? 'auto',
    videoDuration: body.videoDuration ?? 'subminute',
    language: languageOf(voices, body),
    aspectRatio: body.aspectRatio ?? '9:16',
    imageStyle: body.imageStyle ?? 'mixed',
    connectedBRolls: body.connectedBRolls ?? false,
    customStyleText: body.customStyleText ?? null,
    voiceId: voice.id,
    voiceProvider: voice.provider,
    showSubtitles: body.showSubtitles ?? true,
    presentationTone: body.presentationTone ?? null,
    presentationAssets: body.presentationAssets ?? [],
    presenter: body.presenter ?? null,
    targetDuration: body.targetDuration ?? null,
    characterImageUrl: body.characterImageUrl ?? null,
    characterDescription: body.characterDescription ?? null,
  }
  return {
    type: body.type ?? 'faceless',
    subType: body.subType ?? null,
    title: body.title ?? null,
    mood: body.mood ?? null,
    presentationMood: body.presentationMood ?? null,
    brief: completeBrief,
    process: {
      transcribe: body.process?.transcribe ?? true,
      addBRolls: body.process?.addBRolls ?? true,
      render: body.process?.render ?? false,
    },
  }
}

/** The fields of a new video. Ignores unknown keys, refuses wrong values; gives a `VideoInput`. */
export const createVideoRequestFor = (voices: readonly Voice[]) => briefRequest(voices, false)

/** The same fields, but `isAutomation` may be true: a blueprint from a response can be sent back. */
export const createAutomationRequestFor = (voices: readonly Voice[]) => briefRequest(voices, true)

const briefRequest = (voices: readonly Voice[], isBlueprint: boolean) =>
  v.pipe(
    createFields(voices, isBlueprint),
    v.forward(
      v.check(({ prompt, text }) => isNonBlank(prompt) || isNonBlank(text), 'must not be blank unless text is given'),
      ['prompt'],
    ),
    v.forward(
      v.check(
        ({ inputMode, text }) => inputMode !== 'script' || isNonBlank(text),
        'must not be blank where inputMode is script',
      ),
      ['text'],
    ),
    v.forward(
      v.check(
        ({ inputMode, prompt }) => inputMode !== 'idea' || isNonBlank(prompt),
        'must not be blank where inputMode is idea',
      ),
      ['prompt'],
    ),
    v.forward(
      v.check((body) => selectVoice(voices, body) !== undefined, 'has no voice with this voiceId or language'),
      ['voiceProvider'],
    ),
    v.transform((body) => toVideoInput(body, voices)),
  )

const promptOrText = {
  anyOf: Object.entries({ prompt: promptLengthMax, text: scriptLengthMax }).map(([name, maxLength]) => ({
    required: [name],
    properties: { [name]: { type: 'string', pattern: '\\S', maxLength } },
  })),
}

/** The JSON-schema form of the first check: a non-blank prompt or text, flat or nested under `brief`. */
export const briefSchema = {
  anyOf: [...promptOrText.anyOf, { required: ['brief'], properties: { brief: promptOrText } }],
}

/** With the built-in voices only: the schema of the OpenAPI document. */
export const createVideoRequest = createVideoRequestFor(builtInVoices)

export const createAutomationRequest = createAutomationRequestFor(builtInVoices)

/** The fields that may change after creation. They apply to every video created from this one. */
const editable = (voices: readonly Voice[]) => ({
  title: v.exactOptional(title),
  subType: v.exactOptional(v.nullable(openName)),
  aspectRatio: v.exactOptional(known.aspectRatio),
  showSubtitles: v.exactOptional(known.showSubtitles),
  description: v.exactOptional(known.description),
  descriptionPrompt: v.exactOptional(known.descriptionPrompt),
  scriptPrompt: v.exactOptional(known.scriptPrompt),
  prompt: v.exactOptional(known.prompt),
  targetDuration: v.exactOptional(known.targetDuration),
  characterImageUrl: v.exactOptional(known.characterImageUrl),
  characterDescription: v.exactOptional(known.characterDescription),
  voiceId: v.exactOptional(voiceIdOf(voices)),
  voiceProvider: v.exactOptional(known.voiceProvider),
  videoDuration: v.exactOptional(known.videoDuration),
  imageStyle: v.exactOptional(known.imageStyle),
  connectedBRolls: v.exactOptional(known.connectedBRolls),
  presentationTone: v.exactOptional(known.presentationTone),
  presenter: v.exactOptional(v.nullable(plainObject(presenter))),
})

/** The fields of an edit. Refuses unknown keys and empty edits; gives a `VideoEdit`. */
export function editVideoRequestFor(voices: readonly Voice[]) {
  const fields = editable(voices)
  return v.pipe(v.strictObject(fields), hasField(Object.keys(fields)))
}

export const editVideoRequest = editVideoRequestFor(builtInVoices)

/** Drops unknown keys; refuses a body without a known one. */
export const mergeConfigRequest = v.pipe(
  themeConfig,
  v.check(
    (config) => Object.keys(config).length > 0,
    `must contain at least one known key: ${Object.keys(themeConfig.entries).join(', ')}`,
  ),
)
