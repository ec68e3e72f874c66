/** Schemas of resources in responses. The OpenAPI components and the types of the views derive from them. */
import * as v from 'valibot'
import { platforms as platformList } from '../../domain/core/platform.ts'
import { jobStatuses, publishStatuses, videoStatuses } from '../../domain/core/states.ts'
import { bRoll } from '../../domain/generation/b-rolls.ts'
import { captionPage, captionWord } from '../../domain/generation/captions/captions.ts'
import { checkLabel } from '../../domain/generation/quality/checks.ts'
import { presentationScene } from '../../domain/generation/scenes/presentation-scenes.ts'
import { scene } from '../../domain/generation/scenes/scenes.ts'
import { brief, videoTypes } from '../../domain/records/brief.ts'
import { qualityNames } from '../../domain/records/quality.ts'
import { themeConfig } from '../../domain/records/theme.ts'
import { uploadStatuses, uploadTypes } from '../../domain/records/upload.ts'
import { count, timestamp } from '../schemas.ts'

const url = v.pipe(v.string(), v.url())
/** Lower-case hex. */
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const percent = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100))

export const jobError = v.object({
  code: v.string(),
  message: v.string(),
  blocked: v.boolean(),
  action: v.nullable(v.picklist(['upgrade', 'credits', 'connect'])),
})

const writtenBy = v.pipe(
  v.string(),
  v.description(
    '`client`: the own text of the client. `template`: the idea alone, since nothing is known about it. `knowledge`: built from facts. Otherwise the name of the provider.',
  ),
)

/** What is spoken, who wrote it, and from which sources. */
export const script = v.object({
  text: v.string(),
  writtenBy,
  grounded: v.pipe(v.boolean(), v.description('Whether the writer had the facts of `sources`.')),
  sources: v.array(
    v.object({
      title: v.string(),
      url: v.string(),
      licence: v.pipe(
        v.nullable(v.string()),
        v.description('SPDX identifier of a licence that requires attribution; null otherwise.'),
      ),
    }),
  ),
})
export type ScriptResource = v.InferOutput<typeof script>

const checkNames = qualityNames.map((name) => `\`${name}\`: ${checkLabel(name)}`).join('; ')

export const quality = v.object({
  passed: v.boolean(),
  checks: v.array(
    v.object({
      name: v.pipe(v.picklist(qualityNames), v.description(`The measured quantity. ${checkNames}.`)),
      passed: v.boolean(),
      measured: v.number(),
      limit: v.pipe(v.number(), v.description('The maximum of `measured`.')),
    }),
  ),
  /** Who wrote the script, as in `script.writtenBy`; absent for work that spoke nothing new. */
  script: v.optional(writtenBy),
})

export const processDocument = v.object({
  status: v.picklist(jobStatuses),
  progress: percent,
  statusText: v.nullable(v.string()),
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
  statusText: v.optional(v.string()),
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

/** The state of publishing to one account. */
const publishResult = v.object({
  accountId: v.string(),
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
  platforms: v.array(v.string()),
  missingPlatforms: v.array(v.string()),
  unhealthyPlatforms: v.array(v.string()),
  caption: v.string(),
  /** One per account that the request resolved to. */
  results: v.array(publishResult),
  error: v.nullable(jobError),
})

/** The response of `publishVideo`. `platforms` have an account to post to. */
export const publication = v.object({
  videoId: v.string(),
  platforms: v.array(v.string()),
  missingPlatforms: v.array(v.string()),
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
  id: v.string(),
  title: v.string(),
  type: v.picklist(videoTypes),
  subType: v.nullable(v.string()),
  status: v.picklist(videoStatuses),
  isAutomation: v.boolean(),
  parentVideoId: v.nullable(v.string()),
  isClip: v.boolean(),
  mood: v.nullable(v.string()),
  presentationMood: v.nullable(v.string()),
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

export const video = v.object({
  ...listedVideo,
  brief,
  config: themeConfig,
  /** The newest script; null where none exists yet, and for uploads. */
  script: v.optional(v.nullable(script)),
  captions: v.optional(v.array(captionWord)),
  captionsPages: v.optional(v.array(captionPage)),
  bRolls: v.optional(v.array(bRoll)),
  presentationScenes: v.optional(v.array(presentationScene)),
  scenes: v.optional(v.array(scene)),
})
export type VideoResource = v.InferOutput<typeof video>

export const removal = v.object({ ok: v.literal(true) })

export const deletion = v.object({ ok: v.literal(true), deletedClips: count, deletedBytes: count })

export const captions = v.object({ captions: v.array(captionWord), captionsPages: v.array(captionPage) })

export const download = v.object({
  url,
  /** Null: the URL is unguessable and valid as long as the render is stored. */
  expiresAt: v.nullable(timestamp),
  bytes: count,
  contentType: v.string(),
})
export type DownloadResource = v.InferOutput<typeof download>

export const videoDescription = v.object({ videoId: v.string(), description: v.string() })
export type VideoDescriptionResource = v.InferOutput<typeof videoDescription>

const anyUpload = {
  id: v.string(),
  status: v.picklist(uploadStatuses),
  /** The transfer of the file must start before this time. */
  expiresAt: timestamp,
  /** The video created from the file. */
  videoId: v.nullable(v.string()),
}

/** Only the response of `createUpload` holds the presigned request. */
export const newUpload = v.object({
  ...anyUpload,
  method: v.literal('PUT'),
  uploadUrl: url,
  headers: v.record(v.string(), v.string()),
})
export type NewUploadResource = v.InferOutput<typeof newUpload>

export const upload = v.object({
  ...anyUpload,
  fileName: v.string(),
  contentType: v.picklist(uploadTypes),
  bytes: count,
  createdAt: timestamp,
  error: v.nullable(jobError),
})
export type UploadResource = v.InferOutput<typeof upload>

export const voice = v.object({
  id: v.string(),
  name: v.string(),
  provider: v.picklist(['standard', 'expressive']),
  language: v.string(),
  gender: v.picklist(['female', 'male', 'neutral']),
  previewUrl: v.nullable(url),
})
export type VoiceResource = v.InferOutput<typeof voice>

export const platform = v.object({
  id: v.picklist(platformList.map(({ id }) => id)),
  name: v.string(),
  color: v.string(),
})

/** A null limit means unlimited. */
const limited = { used: count, limit: v.nullable(count) }

export const account = v.object({
  workspace: v.object({ id: v.string(), name: v.string(), organizationId: v.nullable(v.string()) }),
  plan: v.object({ id: v.string(), name: v.string(), renewsAt: v.nullable(timestamp) }),
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
