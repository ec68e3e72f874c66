/**
 * Edits of a video by its client: title, brief, description, theme config and timelines. Called by the edit routes, and
 * by the sync jobs that write a description, cut a presentation or make a presenter.
 */
import { Refusal } from '../core/refusal.ts'
import type { Brief } from '../records/brief.ts'
import type { VideoDecision } from '../records/decision.ts'
import { editorDefaults, type ThemeConfig } from '../records/theme.ts'
import type { MediaKeys, TimelineName, Video } from '../records/video.ts'
import { updateVideo, updateVideoContent, updateVideoTexts, wakeUpsAfterJob } from './update-video.ts'
import { findVoice, type Voice } from './voices.ts'

/** Replaces timeline documents, and media if given, which changes the content of a render. */
export const replaceTimelines = (
  video: Video,
  timelines: Partial<Record<TimelineName, string>>,
  now: string,
  media: Partial<MediaKeys> = {},
): VideoDecision =>
  updateVideoContent(
    video,
    { ...video, timelines: { ...video.timelines, ...timelines }, media: { ...video.media, ...media } },
    now,
  )

/** The fields of an edit; absent ones stay. */
export type VideoEdit = Partial<Pick<Video, 'title' | 'subType'> & Omit<Brief, 'text' | 'inputMode' | 'language'>>

/** What a render reads of the fields of an edit. The others are for the next generation, and for publishing. */
const shownFields = ['title', 'subType', 'aspectRatio', 'showSubtitles', 'voiceId'] as const

/** Changes the title and the brief. Queues nothing: the brief applies to the next generation and to clips. */
export function editVideo(video: Video, edit: VideoEdit, voices: readonly Voice[], now: string): VideoDecision {
  const { title, subType, ...fields } = edit
  const brief: Brief = { ...video.brief, ...fields }
  if (fields.prompt !== undefined && video.type !== 'video' && !brief.prompt?.trim() && !brief.text?.trim())
    throw invalidField('body.prompt', 'must not be empty if the brief has no text')
  const voice = findVoice(voices, brief.voiceId)
  if (fields.voiceProvider && voice?.provider !== fields.voiceProvider) throw invalidVoice(brief.voiceId)
  if (voice) brief.voiceProvider = voice.provider
  const named = title === undefined ? {} : { title, titleIsWorking: false }
  const kind = subType === undefined ? {} : { subType }
  const isShown = shownFields.some((name) => name in edit)
  const update = isShown ? updateVideoContent : updateVideoTexts
  const decision = update(video, { ...video, ...named, ...kind, brief }, now)
  // The automation needs a wake-up: an idea is a precondition of its clips.
  return video.isAutomation ? { ...decision, automationWakeUps: wakeUpsAfterJob(decision.video) } : decision
}

export const invalidVoice = (voiceId: string) =>
  invalidField('body.voiceProvider', `does not match the provider of the voice ${voiceId}`)

export const invalidField = (path: string, message: string) =>
  new Refusal('invalid-request', `${path} ${message}.`, { details: [{ path, message }] })

/** Stores a generated description and its prompt. The content of a render is unchanged. */
export const setDescription = (
  video: Video,
  description: string,
  descriptionPrompt: string | null,
  now: string,
): VideoDecision =>
  updateVideo(video, { ...video, brief: { ...video.brief, description, descriptionPrompt }, updatedAt: now }, now)

/** Shallow merge: given keys replace stored ones. */
export const mergeConfig = (video: Video, config: ThemeConfig, now: string): VideoDecision =>
  updateVideoContent(video, { ...video, config: { ...video.config, ...config } }, now)

export const resetConfig = (video: Video, now: string): VideoDecision =>
  updateVideoContent(video, { ...video, config: { ...editorDefaults } }, now)
