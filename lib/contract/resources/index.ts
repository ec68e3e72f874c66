/** Schemas of resources in responses. The OpenAPI components and the types of the views derive from them. */
import * as v from 'valibot'
import { profileColor } from '../../domain/accounts/create-profile.ts'
import { boundedText, listOf, nameLengthMax, urlLengthMax } from '../../domain/core/bounded.ts'
import { platforms as platformList } from '../../domain/core/platform.ts'
import { jobStatuses, publishStatuses, videoStatuses } from '../../domain/core/states.ts'
import { timelineItemsMax } from '../../domain/core/timeline-item.ts'
import { bRollTimeline } from '../../domain/generation/b-rolls.ts'
import { captionPage, captionWord } from '../../domain/generation/captions/captions.ts'
import { checkLabel } from '../../domain/generation/quality/checks.ts'
import { presentationTimeline } from '../../domain/generation/scenes/presentation-scenes.ts'
import { scene, scenesMax } from '../../domain/generation/scenes/scenes.ts'
import {
  brief,
  freeTextLengthMax,
  openName,
  scriptLengthMax,
  titleLengthMax,
  videoTypes,
} from '../../domain/records/brief.ts'
import { captionLengthMax } from '../../domain/records/jobs.ts'
import { qualityNames } from '../../domain/records/quality.ts'
import { scriptSourcesMax } from '../../domain/records/script.ts'
import { themeConfig } from '../../domain/records/theme.ts'
import { uploadStatuses, uploadTypes } from '../../domain/records/upload.ts'
import { workspaceNameLengthMax } from '../../domain/workspaces/workspace.ts'
import { count, longUrlLengthMax, message, recordId, timestamp, url } from '../schemas.ts'

/** `#rrggbb`, in lower case. */
const hexColour = v.pipe(v.string(), v.regex(profileColor))
/** Lower-case hex. */
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const percent = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100))

export const jobError = v.object({
  code: openName,
  message,
  blocked: v.boolean(),
  action: v.nullable(v.picklist(['upgrade', 'credits', 'connect'])),
})

const writtenBy = v.pipe(
  boundedText(nameLengthMax),
  v.description(
    '`client`: the own text of the client. `template`: the idea alone, since nothing is known about it. `knowledge`: built from facts. Otherwise the name of the provider.',
  ),
)

/** What is spoken, who wrote it, and from which sources. */
export const script = v.object({
  text: boundedText(scriptLengthMax),
  writtenBy,
  grounded: v.pipe(v.boolean(), v.description('Whether the writer had the facts of `sources`.')),
  sources: listOf(
    v.object({
      title: boundedText(nameLengthMax),
      url: boundedText(urlLengthMax),
      licence: v.pipe(
        v.nullable(boundedText(nameLengthMax)),
        v.description('SPDX identifier of a licence that requires attribution; null otherwise.'),
      ),
    }),
    scriptSourcesMax,
  ),
})
export type ScriptResource = v.InferOutput<typeof script>

const checkNames = qualityNames.map((name) => `\`${name}\`: ${checkLabel(name)}`).join('; ')

export const quality = v.object({
  passed: v.boolean(),
  checks: listOf(
    v.object({
      name: v.pipe(v.picklist(qualityNames), v.description(`The measured quantity. ${checkNames}.`)),
      passed: v.boolean(),
      measured: v.number(),
      limit: v.pipe(v.number(), v.description('The maximum of `measured`.')),
    }),
    qualityNames.length,
  ),
  /** Who wrote the script, as in `script.writtenBy`; absent for work that spoke nothing new. */
  script: v.optional(writtenBy),
})

export const processDocument = v.object({
  status: v.picklist(jobStatuses),
  progress: percent,
  statusText: v.nullable(message),
  queuedAt: timestamp,
  startedAt: v.nullable(timestamp),
  error: v.nullable(jobError),
  /** Measured before the job completes. Null until then, and where nothing was generated. */
  quality: v.nullable(quality),
})

export const renderDocument = v.object({
  status: v.picklist(jobStatuses),
  progress: percent,
  queuedAt: timestamp,
  startedAt: v.nullable(timestamp),
  error: v.nullable(jobError),
  /** The place in the queue of a render that waits for others of its workspace. */
  statusText: v.optional(message),
  /** The video was edited after this render started. */
  stale: v.optional(v.boolean()),
  /** SHA-256 of all inputs: equal hashes give identical mp4 files. */
  inputsHash: v.optional(sha256),
  /** SHA-256 of the mp4. */
  sha256: v.optional(sha256),
  /** How many segments were reused from earlier renders. */
  reuse: v.optional(v.object({ segments: count, reused: count, secondsRendered: v.number() })),
  /** Measured on the mp4. */
  quality: v.optional(quality),
})

export const platformId = v.picklist(platformList.map(({ id }) => id))
const platformIds = listOf(platformId, platformList.length)

/** The state of publishing to one account. */
const publishResult = v.object({
  accountId: recordId,
  platform: platformId,
  status: v.picklist(jobStatuses),
  url: v.nullable(url),
  error: v.nullable(jobError),
})

export const publishDocument = v.object({
  status: v.picklist(publishStatuses),
  scheduledAt: v.nullable(timestamp),
  startedAt: v.nullable(timestamp),
  publishedAt: v.nullable(timestamp),
  failedAt: v.nullable(timestamp),
  platforms: platformIds,
  missingPlatforms: platformIds,
  unhealthyPlatforms: platformIds,
  caption: boundedText(captionLengthMax),
  /** One per account that the request resolved to. */
  results: listOf(publishResult, platformList.length),
  error: v.nullable(jobError),
})

/** The response of `publishVideo`. `platforms` have an account to post to. */
export const publication = v.object({
  videoId: recordId,
  platforms: platformIds,
  missingPlatforms: platformIds,
  publish: publishDocument,
})
export type PublicationResource = v.InferOutput<typeof publication>

export const media = v.object({
  sourceUrl: v.nullable(url),
  audioUrl: v.nullable(url),
  captionsUrl: v.nullable(url),
  thumbnailUrl: v.nullable(url),
  renderUrl: v.nullable(url),
  bytes: v.nullable(count),
})

const listedVideo = {
  id: recordId,
  title: boundedText(titleLengthMax),
  type: v.picklist(videoTypes),
  subType: v.nullable(openName),
  status: v.picklist(videoStatuses),
  isAutomation: v.boolean(),
  parentVideoId: v.nullable(recordId),
  isClip: v.boolean(),
  mood: v.nullable(openName),
  presentationMood: v.nullable(openName),
  durationSeconds: v.nullable(v.number()),
  media,
  process: v.nullable(processDocument),
  render: v.nullable(renderDocument),
  publish: v.nullable(publishDocument),
  createdAt: timestamp,
  updatedAt: timestamp,
}

export const videoItem = v.object({ ...listedVideo, brief: v.omit(brief, ['presentationAssets', 'presenter']) })
export type VideoItem = v.InferOutput<typeof videoItem>

const captionWords = listOf(captionWord, timelineItemsMax)
const captionPages = listOf(captionPage, timelineItemsMax)

export const video = v.object({
  ...listedVideo,
  brief,
  config: themeConfig,
  /** The newest script; null where none exists yet, and for uploads. */
  script: v.optional(v.nullable(script)),
  captions: v.optional(captionWords),
  captionsPages: v.optional(captionPages),
  bRolls: v.optional(bRollTimeline),
  presentationScenes: v.optional(presentationTimeline),
  scenes: v.optional(listOf(scene, scenesMax)),
})
export type VideoResource = v.InferOutput<typeof video>

export const removal = v.object({ ok: v.literal(true) })

export const deletion = v.object({ ok: v.literal(true), deletedClips: count, deletedBytes: count })

export const captions = v.object({ captions: captionWords, captionsPages: captionPages })

export const download = v.object({
  url,
  /** Null: the URL is unguessable and valid as long as the render is stored. */
  expiresAt: v.nullable(timestamp),
  bytes: count,
  contentType: v.literal('video/mp4'),
})
export type DownloadResource = v.InferOutput<typeof download>

export const videoDescription = v.object({ videoId: recordId, description: boundedText(freeTextLengthMax) })
export type VideoDescriptionResource = v.InferOutput<typeof videoDescription>

const anyUpload = {
  id: recordId,
  status: v.picklist(uploadStatuses),
  /** The transfer of the file must start before this time. */
  expiresAt: timestamp,
  /** The video created from the file. */
  videoId: v.nullable(recordId),
}

/** Only the response of `createUpload` holds the presigned request. */
export const newUpload = v.object({
  ...anyUpload,
  method: v.literal('PUT'),
  uploadUrl: v.pipe(boundedText(longUrlLengthMax), v.url()),
  headers: v.record(v.string(), boundedText(nameLengthMax)),
})
export type NewUploadResource = v.InferOutput<typeof newUpload>

export const upload = v.object({
  ...anyUpload,
  fileName: boundedText(nameLengthMax),
  contentType: v.picklist(uploadTypes),
  bytes: count,
  createdAt: timestamp,
  error: v.nullable(jobError),
})
export type UploadResource = v.InferOutput<typeof upload>

export const voice = v.object({
  id: boundedText(nameLengthMax),
  name: boundedText(nameLengthMax),
  provider: v.picklist(['standard', 'expressive']),
  language: boundedText(nameLengthMax),
  gender: v.picklist(['female', 'male', 'neutral']),
  previewUrl: v.nullable(url),
})
export type VoiceResource = v.InferOutput<typeof voice>

export const platform = v.object({
  id: platformId,
  name: boundedText(nameLengthMax),
  color: hexColour,
})

/** A null limit means unlimited. */
const limited = { used: count, limit: v.nullable(count) }

export const account = v.object({
  workspace: v.object({
    id: recordId,
    name: boundedText(workspaceNameLengthMax),
    organizationId: v.nullable(recordId),
  }),
  plan: v.object({ id: openName, name: boundedText(nameLengthMax), renewsAt: v.nullable(timestamp) }),
  credits: v.object({
    /** Null on a plan without a balance. */
    balance: v.nullable(count),
    granted: v.nullable(count),
    used: count,
    avatar: v.object({ balance: v.nullable(count) }),
  }),
  limits: v.object({
    generations: v.object({ ...limited, resetsAt: timestamp }),
    storage: v.object({ usedBytes: count, limitBytes: v.nullable(count) }),
    automations: v.object(limited),
    maxDurationSeconds: v.nullable(count),
    maxRenderSeconds: v.nullable(count),
    publishing: v.boolean(),
    webhooks: v.object(limited),
    apiKeys: v.object(limited),
  }),
})
export type AccountResource = v.InferOutput<typeof account>
