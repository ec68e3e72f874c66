/** Bodies and queries of the routes under /videos. */
import * as v from 'valibot'
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
  videoTypes,
} from '../../domain/records/brief.ts'
import { timelineNames } from '../../domain/records/video.ts'
import type { VideoInput } from '../../domain/videos/create-video.ts'
import { builtInVoices, languageOf, languagesOf, selectVoice, type Voice } from '../../domain/videos/voices.ts'
import { commaList, lenientFilter, pageQuery } from '../schemas.ts'

const atMost = (length: number) => v.pipe(v.string(), v.maxLength(length, `must be at most ${length} characters long`))

export const listVideosQuery = v.object({
  ...pageQuery,
  type: lenientFilter(videoTypes),
  subType: v.optional(atMost(40)),
  status: lenientFilter(videoStatuses),
  search: v.optional(atMost(100)),
})

export const getVideoQuery = v.object({ include: commaList(timelineNames) })

const known = brief.entries
/** Absent and null mean the same in a wish: a record that was read carries nulls. */
const nullish = <const Schema extends v.GenericSchema>(schema: Schema) => v.nullish(schema)
const flag = nullish(v.boolean())
const title = v.pipe(atMost(200), v.trim(), v.minLength(1, 'must not be empty'))

/** What is offered depends on the vendors of a deployment, so the document lists no values. */
const offeredValue = (values: string[], meaning: string) =>
  Object.assign(v.picklist(values), { described: v.pipe(v.string(), v.description(meaning)) })
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
  presenter: nullish(plainObject(presenter)),
  inputMode: nullish(known.inputMode),
  videoDuration: nullish(known.videoDuration),
  language: nullish(offeredValue(languagesOf(voices), 'A language that a voice of `GET /voices` has.')),
  aspectRatio: nullish(known.aspectRatio),
  imageStyle: nullish(known.imageStyle),
  connectedBRolls: flag,
  voiceId: nullish(voiceIdOf(voices)),
  voiceProvider: nullish(known.voiceProvider),
  showSubtitles: flag,
  presentationAssets: nullish(
    v.pipe(v.array(plainObject(presentationAsset)), v.maxLength(assetsMax, `must hold at most ${assetsMax} items`)),
  ),
})

const isNonBlank = (text: string | null | undefined) => Boolean(text?.trim())

/** Only a blueprint's own route takes a true one. */
const isAutomationFlag = (isBlueprint: boolean) =>
  isBlueprint ? v.boolean() : v.literal(false, 'is refused here: make a blueprint with POST /automations')

const createFields = (voices: readonly Voice[], isBlueprint: boolean) =>
  v.object({
    type: nullish(v.picklist(generatedTypes)),
    subType: nullish(openName),
    title: nullish(title),
    mood: nullish(openName),
    presentationMood: nullish(openName),
    isAutomation: nullish(isAutomationFlag(isBlueprint)),
    process: nullish(plainObject(v.object({ transcribe: flag, addBRolls: flag, render: flag }))),
    ...v.partial(v.object(briefFields(voices))).entries,
  })

/** What the client leaves out is filled in; there is a voice, or the body would have been refused. */
function toVideoInput(body: v.InferOutput<ReturnType<typeof createFields>>, voices: readonly Voice[]): VideoInput {
  const voice = selectVoice(voices, body)!
  const filled: Brief = {
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
    brief: filled,
    process: {
      transcribe: body.process?.transcribe ?? true,
      addBRolls: body.process?.addBRolls ?? true,
      render: body.process?.render ?? false,
    },
  }
}

/** The fields of a new video. Unknown keys are ignored, a known key with a wrong value is refused; gives a `VideoWish`. */
export const createVideoRequestFor = (voices: readonly Voice[]) => briefRequest(voices, false)

/** Those of a blueprint: the same, and a video that was read may be sent as it is. */
export const createAutomationRequestFor = (voices: readonly Voice[]) => briefRequest(voices, true)

const briefRequest = (voices: readonly Voice[], isBlueprint: boolean) =>
  v.pipe(
    createFields(voices, isBlueprint),
    v.forward(
      v.check(({ prompt, text }) => isNonBlank(prompt) || isNonBlank(text), 'a non-empty prompt or text is needed'),
      ['prompt'],
    ),
    v.forward(
      v.check(
        ({ inputMode, text }) => inputMode !== 'script' || isNonBlank(text),
        'inputMode script needs a non-empty text',
      ),
      ['text'],
    ),
    v.forward(
      v.check(
        ({ inputMode, prompt }) => inputMode !== 'idea' || isNonBlank(prompt),
        'inputMode idea needs a non-empty prompt',
      ),
      ['prompt'],
    ),
    v.forward(
      v.check(
        (body) => selectVoice(voices, body) !== undefined,
        'no voice of this provider fits the voiceId or the language',
      ),
      ['voiceProvider'],
    ),
    v.transform((body) => toVideoInput(body, voices)),
  )

/** As documented, and as it is where no vendor offers further voices. */
export const createVideoRequest = createVideoRequestFor(builtInVoices)
export const createAutomationRequest = createAutomationRequestFor(builtInVoices)

const optional = <const Schema extends v.GenericSchema>(schema: Schema) => v.exactOptional(schema)

/** What may change after the creation; the choices apply to every video made from this one. */
const editable = (voices: readonly Voice[]) => ({
  title: optional(title),
  subType: optional(v.nullable(openName)),
  aspectRatio: optional(known.aspectRatio),
  showSubtitles: optional(known.showSubtitles),
  description: optional(known.description),
  descriptionPrompt: optional(known.descriptionPrompt),
  scriptPrompt: optional(known.scriptPrompt),
  prompt: optional(known.prompt),
  targetDuration: optional(known.targetDuration),
  characterImageUrl: optional(known.characterImageUrl),
  characterDescription: optional(known.characterDescription),
  voiceId: optional(voiceIdOf(voices)),
  voiceProvider: optional(known.voiceProvider),
  videoDuration: optional(known.videoDuration),
  imageStyle: optional(known.imageStyle),
  connectedBRolls: optional(known.connectedBRolls),
  presentationTone: optional(known.presentationTone),
  presenter: optional(v.nullable(plainObject(presenter))),
})

/** The fields of an edit: any other is refused by name, and so is an edit of nothing. Gives a `VideoEdit`. */
export function editVideoRequestFor(voices: readonly Voice[]) {
  const fields = editable(voices)
  return v.pipe(
    v.strictObject(fields),
    v.check((edit) => Object.keys(edit).length > 0, `needs one of ${Object.keys(fields).join(', ')}`),
  )
}

export const editVideoRequest = editVideoRequestFor(builtInVoices)

/** The body of POST /videos/{id}/description; the prompt is kept and used again. */
export const describeVideoRequest = v.object({ prompt: nullish(known.descriptionPrompt) })
