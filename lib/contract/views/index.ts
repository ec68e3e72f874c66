/** Converts records to resources: storage keys become URLs, internal fields are dropped. */

import type { JobError } from '../../domain/core/failures.ts'
import { videoStatus } from '../../domain/core/states.ts'
import type { BRoll, StoredBRoll } from '../../domain/generation/b-rolls.ts'
import type { Scene, StoredScene } from '../../domain/generation/scenes/scenes.ts'
import { sceneStatus } from '../../domain/generation/scenes/scenes.ts'
import type { ProcessJob, PublishJob, RenderJob } from '../../domain/records/jobs.ts'
import type { Script } from '../../domain/records/script.ts'
import type { Upload } from '../../domain/records/upload.ts'
import type { MediaKeys, TimelineName, Video } from '../../domain/records/video.ts'
import { isRenderStale } from '../../domain/videos/stale-render.ts'
import type { Voice } from '../../domain/videos/voices.ts'
import { voicePreviewKey } from '../../domain/videos/voices.ts'
import { apiKeysMax, plans, webhooksMax } from '../../domain/workspaces/plan.ts'
import type { Workspace } from '../../domain/workspaces/workspace.ts'
import { inCurrentMonth, nextMonthAt } from '../../domain/workspaces/workspace.ts'
import type {
  AccountResource,
  DownloadResource,
  NewUploadResource,
  PublicationResource,
  ScriptResource,
  UploadResource,
  VideoItem,
  VideoResource,
  VoiceResource,
} from '../resources/index.ts'

/** The public URL of a stored object, by its key. `lib/bound-views` binds it to the deployment. */
export type MediaUrlFor = (key: string) => string

/** `action` is always present. */
export const errorView = (error: JobError | null) => error && { ...error, action: error.action ?? null }

export const processView = (job: ProcessJob | null) =>
  job && {
    status: job.status,
    progress: job.progress,
    statusText: job.statusText,
    queuedAt: job.queuedAt,
    startedAt: job.startedAt,
    error: errorView(job.error),
    quality: job.quality ?? null,
  }

export const renderView = (job: RenderJob | null, isStale = job?.stale ?? false) =>
  job && {
    status: job.status,
    progress: job.progress,
    queuedAt: job.queuedAt,
    startedAt: job.startedAt,
    error: errorView(job.error),
    ...(job.statusText && { statusText: job.statusText }),
    ...(isStale ? { stale: true } : {}),
    ...job.made,
  }

export const publishView = (job: PublishJob | null) =>
  job && {
    status: job.status,
    scheduledAt: job.scheduledAt,
    startedAt: job.startedAt,
    publishedAt: job.publishedAt,
    failedAt: job.failedAt,
    platforms: job.platforms,
    missingPlatforms: job.missingPlatforms,
    unhealthyPlatforms: job.unhealthyPlatforms,
    caption: job.caption,
    results: job.results.map((result) => ({ ...result, error: errorView(result.error) })),
    error: errorView(job.error),
  }

/** `platforms` are those with an account to post to. */
export function publicationView({ id, publish }: Video): PublicationResource {
  if (!publish) throw new Error(`The video ${id} is not published.`)
  const { results, missingPlatforms } = publish
  return {
    videoId: id,
    platforms: results.map(({ platform }) => platform),
    missingPlatforms,
    publish: publishView(publish)!,
  }
}

export function mediaView(media: MediaKeys, mediaUrl: MediaUrlFor) {
  const urlOf = (key: string | null) => (key === null ? null : mediaUrl(key))
  return {
    sourceUrl: urlOf(media.sourceKey),
    audioUrl: urlOf(media.audioKey),
    captionsUrl: urlOf(media.captionsKey),
    thumbnailUrl: urlOf(media.thumbnailKey),
    renderUrl: urlOf(media.renderKey),
    bytes: media.bytes,
  }
}

/** A video in a list: without config, timelines, presentation assets and presenter. */
export function videoItemView(video: Video, mediaUrl: MediaUrlFor): VideoItem {
  const { presentationAssets: _assets, presenter: _presenter, ...brief } = video.brief
  return { ...sharedView(video, mediaUrl), brief }
}

export function videoView(video: Video, mediaUrl: MediaUrlFor): VideoResource {
  return { ...sharedView(video, mediaUrl), brief: video.brief, config: video.config }
}

function sharedView(video: Video, mediaUrl: MediaUrlFor) {
  return {
    id: video.id,
    title: video.title,
    type: video.type,
    subType: video.subType,
    status: videoStatus(video),
    isAutomation: video.isAutomation,
    parentVideoId: video.parentVideoId,
    isClip: video.parentVideoId !== null,
    mood: video.mood,
    presentationMood: video.presentationMood,
    durationSeconds: video.durationSeconds,
    media: mediaView(video.media, mediaUrl),
    process: processView(video.process),
    render: renderView(video.render, isRenderStale(video)),
    publish: publishView(video.publish),
    createdAt: video.createdAt,
    updatedAt: video.updatedAt,
  }
}

export function downloadView({ id, media: { renderKey, bytes } }: Video, mediaUrl: MediaUrlFor): DownloadResource {
  if (!renderKey || bytes === null) throw new Error(`The video ${id} has no render.`)
  return { url: mediaUrl(renderKey), expiresAt: null, bytes, contentType: 'video/mp4' }
}

export const newUploadView = (
  upload: Upload,
  { url, headers }: { url: string; headers: Record<string, string> },
): NewUploadResource => ({ ...sharedUploadView(upload), method: 'PUT', uploadUrl: url, headers })

export function uploadView(upload: Upload): UploadResource {
  const { fileName, contentType, bytes, createdAt, error } = upload
  return { ...sharedUploadView(upload), fileName, contentType, bytes, createdAt, error: errorView(error) }
}

const sharedUploadView = ({ id, status, addressEndsAt, videoId }: Upload) => ({
  id,
  status,
  expiresAt: addressEndsAt,
  videoId: status === 'received' ? videoId : null,
})

export function bRollView({ media, ...segment }: StoredBRoll, mediaUrl: MediaUrlFor): BRoll {
  return {
    ...segment,
    url: media && mediaUrl(media.key),
    type: media && (media.kind === 'clip' ? 'video' : 'image'),
  }
}

export function sceneView(stored: StoredScene, mediaUrl: MediaUrlFor): Scene {
  const { imageKey, videoKey, isCameraMove: _, ...scene } = stored
  const urlOf = (key: string | null) => (key === null ? null : mediaUrl(key))
  return { ...scene, status: sceneStatus(stored), imageUrl: urlOf(imageKey), videoUrl: urlOf(videoKey) }
}

/** Scripts from before `writtenBy` came from a model or from rules: their writer is unknown. */
export const scriptView = ({
  text,
  writtenBy = 'unknown',
  grounded = false,
  sources = [],
}: Script): ScriptResource => ({
  text,
  writtenBy,
  grounded,
  sources,
})

/** The given timelines, as fields of the video resource. */
export function timelineViews(
  {
    bRolls,
    scenes,
    ...timelines
  }: { bRolls?: StoredBRoll[]; scenes?: StoredScene[] } & Pick<
    VideoResource,
    'captions' | 'captionsPages' | 'presentationScenes'
  >,
  mediaUrl: MediaUrlFor,
): Pick<VideoResource, TimelineName> {
  return {
    ...timelines,
    ...(bRolls ? { bRolls: bRolls.map((segment) => bRollView(segment, mediaUrl)) } : {}),
    ...(scenes ? { scenes: scenes.map((scene) => sceneView(scene, mediaUrl)) } : {}),
  }
}

/** `isAudible`: whether a preview is stored. */
export const voiceView = (voice: Voice, isAudible: boolean, mediaUrl: MediaUrlFor): VoiceResource => {
  const { id, name, provider, language, gender, previewUrl = mediaUrl(voicePreviewKey(voice)) } = voice
  return { id, name, provider, language, gender, previewUrl: isAudible ? previewUrl : null }
}

/** Needs only the workspace record. Monthly counters of a past month count as zero. */
export function accountView(stored: Workspace, now: string): AccountResource {
  const workspace = inCurrentMonth(stored, now)
  const plan = plans[workspace.planId]
  const metered = plan.creditsPerMonth !== null
  const resetsAt = nextMonthAt(now)
  return {
    workspace: { id: workspace.id, name: workspace.name, organizationId: workspace.organizationId },
    plan: { id: workspace.planId, name: plan.name, renewsAt: metered ? resetsAt : null },
    credits: {
      balance: metered ? Math.max(workspace.creditsBalance, 0) : null,
      granted: metered ? workspace.creditsGranted : null,
      used: workspace.creditsUsed,
      avatar: { balance: metered ? workspace.avatarCreditsBalance : null },
    },
    limits: {
      generations: { used: workspace.generationsUsed, limit: plan.generationsPerMonth, resetsAt },
      storage: { usedBytes: workspace.storageUsedBytes, limitBytes: plan.storageBytesMax },
      automations: { used: workspace.automationsUsed, limit: plan.automationsMax },
      maxDurationSeconds: plan.durationSecondsMax,
      maxRenderSeconds: plan.renderSecondsMax,
      publishing: plan.publishing,
      webhooks: { used: workspace.webhooksUsed, limit: webhooksMax },
      apiKeys: { used: workspace.apiKeysUsed, limit: apiKeysMax },
    },
  }
}
