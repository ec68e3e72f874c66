/**
 * How the record of a video changes: the edits of what it says and shows, and the decision that any change of it is. What
 * its jobs do to it stands in `video-jobs.ts`.
 */

import { Refusal } from '../core/refusal.ts'
import { isOpen } from '../core/states.ts'
import { secondsAfter } from '../core/time.ts'
import type { Brief } from '../records/brief.ts'
import type { Alarm, Nudge, VideoDecision } from '../records/decision.ts'
import type { ThemeConfig } from '../records/theme.ts'
import { editorDefaults } from '../records/theme.ts'
import type { Video } from './create-video.ts'
import { wakeUpSeconds } from './create-video.ts'
import type { Voice } from './voices.ts'
import { findVoice } from './voices.ts'

/** The fields of an edit; a field that is absent stays as it is. */
export type VideoEdit = Partial<Pick<Video, 'title' | 'subType'> & Omit<Brief, 'text' | 'inputMode' | 'language'>>

/** Changes the title and the brief. Nothing is queued again: the choices apply to the next generation and to clips. */
export function editVideo(
  video: Video,
  { title, subType, ...fields }: VideoEdit,
  voices: readonly Voice[],
  now: string,
): VideoDecision {
  const brief: Brief = { ...video.brief, ...fields }
  if (fields.prompt !== undefined && video.type !== 'video' && !brief.prompt?.trim() && !brief.text?.trim())
    throw invalidField('body.prompt', 'must not be empty where the brief has no text')
  const voice = findVoice(voices, brief.voiceId)
  if (fields.voiceProvider && voice?.provider !== fields.voiceProvider) throw invalidVoice(brief.voiceId)
  if (voice) brief.voiceProvider = voice.provider
  const named = title === undefined ? {} : { title, titleIsWorking: false }
  const kind = subType === undefined ? {} : { subType }
  const decision = edited(video, { ...video, ...named, ...kind, brief }, now)
  // Of a blueprint without an idea no clip could be made.
  return video.isAutomation ? { ...decision, nudges: nudgesOf(decision.video) } : decision
}

const invalidVoice = (voiceId: string) =>
  invalidField('body.voiceProvider', `does not match the provider of the voice ${voiceId}`)

const invalidField = (path: string, message: string) =>
  new Refusal('invalid-request', `${path} ${message}.`, { details: [{ path, message }] })

/** Keeps the caption that was written, and the prompt that steered it; what a render shows is as before. */
export const describeVideo = (
  video: Video,
  description: string,
  descriptionPrompt: string | null,
  now: string,
): VideoDecision =>
  changed(video, { ...video, brief: { ...video.brief, description, descriptionPrompt }, updatedAt: now }, now)

/** Shallow: the keys that are given replace those that are stored. */
export const mergeConfig = (video: Video, config: ThemeConfig, now: string): VideoDecision =>
  edited(video, { ...video, config: { ...video.config, ...config } }, now)

export const resetConfig = (video: Video, now: string): VideoDecision =>
  edited(video, { ...video, config: { ...editorDefaults } }, now)

/** A change of what a render shows: a film that is being rendered meanwhile will be stale. */
export const edited = (before: Video, after: Video, now: string): VideoDecision =>
  changed(before, { ...after, contentVersion: before.contentVersion + 1, updatedAt: now }, now)

/** An edit after which the film no longer stands for the video: it is taken away, and one that is being rendered will not come back. */
export const clearRender = (before: Video, after: Video, now: string): VideoDecision =>
  edited(before, withoutFilm(before, after), now)

/** The video without its film, nor one that is made of anything before the next version of what it shows. */
export function withoutFilm(before: Video, after: Video): Video {
  const { film: _film, ...media } = after.media
  return {
    ...after,
    media: { ...media, renderKey: null, bytes: null },
    clearedVersion: before.contentVersion + 1,
  }
}

/** The decision that a record is to be another: one version on, and looked at by the sweeper while a job of it is open. */
export function changed(before: Video, after: Video, now: string): VideoDecision {
  const video = { ...after, version: before.version + 1, dueAt: nextLook(before, after, now) }
  const alarm = alarmOf(before, video)
  return {
    workspaceId: before.workspaceId,
    at: now,
    video,
    changes: [{ record: 'video', before, after: video }],
    charges: [],
    events: [],
    starts: [],
    ...(endsJob(before, after) ? { nudges: nudgesOf(video) } : {}),
    ...(alarm ? { alarms: [alarm] } : {}),
  }
}

const jobKinds = ['process', 'render', 'publish'] as const

/** In a while after a job was queued, begun or ended; an edit changes nothing about it. An automation is looked at when its slot is due. */
function nextLook(before: Video, after: Video, now: string): string | null {
  const slotAt = after.automation?.nextSlot?.at
  const isSame = jobKinds.every((kind) => after[kind] === before[kind]) && after.automation === before.automation
  if (isSame) return before.dueAt
  const later = secondsAfter(now, wakeUpSeconds)
  if (jobKinds.some((kind) => isOpen(after[kind]))) return slotAt && slotAt < later ? slotAt : later
  return slotAt ?? null
}

const endsJob = (before: Video, after: Video) =>
  jobKinds.some((kind) => isOpen(before[kind]) && after[kind] !== before[kind] && !isOpen(after[kind]))

/** Whom the end of a job concerns beside its own video: the automation that waits for it, or may take a clip that has a film. */
function nudgesOf({ id, version, isAutomation, parentVideoId, run, media, publish }: Video): Nudge[] {
  const cause = `${id}#${version}`
  if (isAutomation) return [{ automationId: id, clipId: null, cause }]
  const mayBeTaken = media.renderKey !== null && publish === null
  return parentVideoId && (run || mayBeTaken) ? [{ automationId: parentVideoId, clipId: run ? id : null, cause }] : []
}

/** A slot that was planned wakes its automation in time. */
function alarmOf(before: Video, { id, version, automation }: Video): Alarm | undefined {
  const at = automation?.nextSlot?.at
  return at && at !== before.automation?.nextSlot?.at ? { automationId: id, at, cause: `${id}#${version}` } : undefined
}
