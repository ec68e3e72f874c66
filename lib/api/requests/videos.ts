/** Bodies and queries of the routes under /videos. */
import * as v from 'valibot'
import type { Brief } from '../../domain/brief.ts'
import {
  assetsMax,
  brief,
  generatedTypes,
  openName,
  presentationAsset,
  presenter,
  videoTypes,
} from '../../domain/brief.ts'
import { plainObject } from '../../domain/plain-object.ts'
import { videoStatuses } from '../../domain/states.ts'
import type { VideoWish } from '../../domain/video.ts'
import { timelineNames } from '../../domain/video.ts'
import { findVoice, firstStandardVoice, languages, voices } from '../../domain/voice.ts'
import { commaList, lenientFilter, pageQuery } from '../shapes.ts'

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
const wish = <const Schema extends v.GenericSchema>(schema: Schema) => v.nullish(schema)
const flag = wish(v.boolean())
const title = v.pipe(atMost(200), v.trim(), v.minLength(1, 'must not be empty'))
const voiceId = v.picklist(voices.map(({ id }) => id))

const briefWish = {
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
  presenter: wish(plainObject(presenter)),
  inputMode: wish(known.inputMode),
  videoDuration: wish(known.videoDuration),
  language: wish(v.picklist(languages)),
  aspectRatio: wish(known.aspectRatio),
  imageStyle: wish(known.imageStyle),
  connectedBRolls: flag,
  voiceId: wish(voiceId),
  voiceProvider: wish(known.voiceProvider),
  showSubtitles: flag,
  presentationAssets: wish(
    v.pipe(v.array(plainObject(presentationAsset)), v.maxLength(assetsMax, `must hold at most ${assetsMax} items`)),
  ),
}

interface VoiceWish {
  voiceId?: string | null | undefined
  language?: string | null | undefined
}

/** Who names only a voice means its language. */
const languageOf = ({ language, voiceId }: VoiceWish) =>
  language ?? (voiceId ? findVoice(voiceId)?.language : 'en') ?? 'en'
const voiceOf = (wish: VoiceWish) => (wish.voiceId ? findVoice(wish.voiceId) : firstStandardVoice(languageOf(wish)))

const given = (text: string | null | undefined) => Boolean(text?.trim())

/** The fields of a new video. Unknown keys are ignored, a known key with a wrong value is refused; gives a `VideoWish`. */
export const createVideoRequest = v.pipe(
  v.object({
    type: wish(v.picklist(generatedTypes)),
    subType: wish(openName),
    title: wish(title),
    mood: wish(openName),
    presentationMood: wish(openName),
    isAutomation: wish(v.literal(false, 'is refused here: make a blueprint with POST /automations')),
    process: wish(plainObject(v.object({ transcribe: flag, addBRolls: flag, render: flag }))),
    ...v.partial(v.object(briefWish)).entries,
  }),
  v.forward(
    v.check(({ prompt, text }) => given(prompt) || given(text), 'a non-empty prompt or text is needed'),
    ['prompt'],
  ),
  v.forward(
    v.check(({ inputMode, text }) => inputMode !== 'script' || given(text), 'inputMode script needs a non-empty text'),
    ['text'],
  ),
  v.forward(
    v.check(
      ({ inputMode, prompt }) => inputMode !== 'idea' || given(prompt),
      'inputMode idea needs a non-empty prompt',
    ),
    ['prompt'],
  ),
  v.forward(
    v.check((body) => {
      const voice = voiceOf(body)
      return !body.voiceProvider || voice?.provider === body.voiceProvider
    }, 'no voice of this provider fits the voiceId or the language'),
    ['voiceProvider'],
  ),
  v.transform((body): VideoWish => {
    // There is one: the fields above take only voices and languages of the list.
    const voice = voiceOf(body)!
    const filled: Brief = {
      prompt: body.prompt ?? null,
      text: body.text ?? null,
      scriptPrompt: body.scriptPrompt ?? null,
      description: body.description ?? null,
      descriptionPrompt: body.descriptionPrompt ?? null,
      inputMode: body.inputMode ?? 'auto',
      videoDuration: body.videoDuration ?? 'subminute',
      language: languageOf(body),
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
  }),
)

const maybe = <const Schema extends v.GenericSchema>(schema: Schema) => v.exactOptional(schema)

/** What may change after the creation; the choices apply to every video made from this one. */
const editable = {
  title: maybe(title),
  subType: maybe(v.nullable(openName)),
  aspectRatio: maybe(known.aspectRatio),
  showSubtitles: maybe(known.showSubtitles),
  description: maybe(known.description),
  descriptionPrompt: maybe(known.descriptionPrompt),
  scriptPrompt: maybe(known.scriptPrompt),
  prompt: maybe(known.prompt),
  targetDuration: maybe(known.targetDuration),
  characterImageUrl: maybe(known.characterImageUrl),
  characterDescription: maybe(known.characterDescription),
  voiceId: maybe(voiceId),
  voiceProvider: maybe(known.voiceProvider),
  videoDuration: maybe(known.videoDuration),
  imageStyle: maybe(known.imageStyle),
  connectedBRolls: maybe(known.connectedBRolls),
  presentationTone: maybe(known.presentationTone),
  presenter: maybe(v.nullable(plainObject(presenter))),
}

/** The fields of an edit: any other is refused by name, and so is an edit of nothing. Gives a `VideoEdit`. */
export const editVideoRequest = v.pipe(
  v.strictObject(editable),
  v.check((edit) => Object.keys(edit).length > 0, `needs one of ${Object.keys(editable).join(', ')}`),
)

/** The body of POST /videos/{id}/description; the prompt is kept and used again. */
export const describeVideoRequest = v.object({ prompt: wish(known.descriptionPrompt) })
