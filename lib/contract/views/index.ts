/** Records as the resources that clients see: places become addresses, what is internal stays inside. */

import type { JobError } from '../../domain/core/failures.ts'
import { videoStatus } from '../../domain/core/states.ts'
import type { BRoll, StoredBRoll } from '../../domain/generation/b-rolls.ts'
import type { Scene, StoredScene } from '../../domain/generation/scenes/scenes.ts'
import { statusOf } from '../../domain/generation/scenes/scenes.ts'
import type { ProcessJob, PublishJob, RenderJob } from '../../domain/records/jobs.ts'
import type { Upload } from '../../domain/records/upload.ts'
import type { MediaKeys, TimelineName, Video } from '../../domain/records/video.ts'
import type { Voice } from '../../domain/videos/voices.ts'
import { previewKey } from '../../domain/videos/voices.ts'
import { apiKeysMax, plans, webhooksMax } from '../../domain/workspaces/plan.ts'
import type { Workspace } from '../../domain/workspaces/workspace.ts'
import { inThisMonth, nextMonthAt } from '../../domain/workspaces/workspace.ts'
import type {
  Account,
  Download,
  NewUploadResource,
  Publication,
  UploadResource,
  VideoItem,
  VideoResource,
  VoiceResource,
} from '../resources/index.ts'

/** Where a stored object can be fetched. */
export type AddressOf = (key: string) => string

/** All four keys are always there. */
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

export const renderView = (job: RenderJob | null) =>
  job && {
    status: job.status,
    progress: job.progress,
    queuedAt: job.queuedAt,
    startedAt: job.startedAt,
    error: errorView(job.error),
    ...(job.stale ? { stale: true } : {}),
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

/** `platforms`: those that have an account to post to. */
export function publicationView({ id, publish }: Video): Publication {
  if (!publish) throw new Error(`The video ${id} is not published.`)
  const { results, missingPlatforms } = publish
  return {
    videoId: id,
    platforms: results.map(({ platform }) => platform),
    missingPlatforms,
    publish: publishView(publish)!,
  }
}

export function mediaView(media: MediaKeys, addressOf: AddressOf) {
  const address = (key: string | null) => (key === null ? null : addressOf(key))
  return {
    sourceUrl: address(media.sourceKey),
    audioUrl: address(media.audioKey),
    captionsUrl: address(media.captionsKey),
    thumbnailUrl: address(media.thumbnailKey),
    renderUrl: address(media.renderKey),
    bytes: media.bytes,
  }
}

/** A video as it stands in a list: without config, heavy arrays, presentation assets and presenter. */
export function videoItemView(video: Video, addressOf: AddressOf): VideoItem {
  const { presentationAssets: _assets, presenter: _presenter, ...brief } = video.brief
  return { ...sharedView(video, addressOf), brief }
}

export function videoView(video: Video, addressOf: AddressOf): VideoResource {
  return { ...sharedView(video, addressOf), brief: video.brief, config: video.config }
}

function sharedView(video: Video, addressOf: AddressOf) {
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
    media: mediaView(video.media, addressOf),
    process: processView(video.process),
    render: renderView(video.render),
    publish: publishView(video.publish),
    createdAt: video.createdAt,
    updatedAt: video.updatedAt,
  }
}

export function downloadView({ id, media: { renderKey, bytes } }: Video, addressOf: AddressOf): Download {
  if (!renderKey || bytes === null) throw new Error(`The video ${id} has no film.`)
  return { url: addressOf(renderKey), expiresAt: null, bytes, contentType: 'video/mp4' }
}

export const newUploadView = (
  upload: Upload,
  { url, headers }: { url: string; headers: Record<string, string> },
): NewUploadResource => ({ ...anyUploadView(upload), method: 'PUT', uploadUrl: url, headers })

export function uploadView(upload: Upload): UploadResource {
  const { fileName, contentType, bytes, createdAt, error } = upload
  return { ...anyUploadView(upload), fileName, contentType, bytes, createdAt, error: errorView(error) }
}

const anyUploadView = ({ id, status, addressEndsAt, videoId }: Upload) => ({
  id,
  status,
  expiresAt: addressEndsAt,
  videoId: status === 'received' ? videoId : null,
})

export function bRollView({ media, ...segment }: StoredBRoll, addressOf: AddressOf): BRoll {
  return {
    ...segment,
    url: media && addressOf(media.key),
    type: media && (media.kind === 'clip' ? 'video' : 'image'),
  }
}

export function sceneView(stored: StoredScene, addressOf: AddressOf): Scene {
  const { imageKey, videoKey, isCameraMove: _, ...scene } = stored
  const address = (key: string | null) => (key === null ? null : addressOf(key))
  return { ...scene, status: statusOf(stored), imageUrl: address(imageKey), videoUrl: address(videoKey) }
}

/** The timelines that were asked for, as the resource shows them. */
export function timelineViews(
  {
    bRolls,
    scenes,
    ...timelines
  }: { bRolls?: StoredBRoll[]; scenes?: StoredScene[] } & Pick<
    VideoResource,
    'captions' | 'captionsPages' | 'presentationScenes'
  >,
  addressOf: AddressOf,
): Pick<VideoResource, TimelineName> {
  return {
    ...timelines,
    ...(bRolls ? { bRolls: bRolls.map((segment) => bRollView(segment, addressOf)) } : {}),
    ...(scenes ? { scenes: scenes.map((scene) => sceneView(scene, addressOf)) } : {}),
  }
}

/** `isAudible`: whether there is a clip with which one can hear it. */
export const voiceView = (voice: Voice, isAudible: boolean, addressOf: AddressOf): VoiceResource => {
  const { id, name, provider, language, gender, previewUrl = addressOf(previewKey(voice)) } = voice
  return { id, name, provider, language, gender, previewUrl: isAudible ? previewUrl : null }
}

/** One record tells all of it; the figures of a month that has ended are not shown. */
export function accountView(stored: Workspace, now: string): Account {
  const workspace = inThisMonth(stored, now)
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
