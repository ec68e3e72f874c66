/**
 * The job documents of a video: what runs for it, its progress, its result. `runId` is the fencing token of a run;
 * `attempt` fences one worker of a run against another.
 */

import type { CreditUnit } from '../core/credits.ts'
import type { JobError } from '../core/failures.ts'
import type { PlatformId } from '../core/platform.ts'
import type { JobStatus, PublishStatus } from '../core/states.ts'
import type { Brief } from './brief.ts'
import type { Quality } from './quality.ts'

/** The fields of a brief that set the price of a generation. */
export type GenerationTerms = Pick<Brief, 'targetDuration' | 'videoDuration' | 'voiceId' | 'voiceProvider'>

/** What was reserved for a run when it was accepted; `metered` is false on plans without a balance. */
export interface RunCharge {
  credits: number
  unit: CreditUnit
  metered: boolean
  /** What was paid for: later edits of the brief apply to the next generation. Absent if not a generation, and in older records. */
  terms?: GenerationTerms
}

/** The work of a process job: a full generation, a script only, a clip that reuses its source, ingest of an upload, a conversion. */
export const processKinds = ['generate', 'script', 'clip', 'ingest', 'convert'] as const
export type ProcessKind = (typeof processKinds)[number]

/** Steps that are charged once they have ended, also where the video is deleted before the run is complete. */
export const paidSteps = ['script', 'voice'] as const
export type PaidStep = (typeof paidSteps)[number]

/**
 * Of the caption of a publication: above the limit of most platforms, whose own checks refuse what they do not take. Facebook
 * and Reddit have far higher limits.
 */
export const captionLengthMax = 10_000

interface Job {
  runId: string
  status: JobStatus
  /** Percent, 0 to 100; never falls within a run. */
  progress: number
  queuedAt: string
  startedAt: string | null
  deadlineAt: string
  attempt: number
  error: JobError | null
}

export interface ProcessJob extends Job {
  /** The current stage, as text for users. */
  statusText: string | null
  work: ProcessKind
  /** The `process` options of the request, stored under this name. */
  wishes: ProcessOptions
  /** Null if free. */
  charge: RunCharge | null
  /** The paid steps that have ended; reported like the progress, absent before the first. */
  paidSteps?: readonly PaidStep[]
  /** Result of the quality checks; absent before the end, and for work that makes nothing new. */
  quality?: Quality
}

export interface RenderJob extends Job {
  /** The place in the queue, as text for users, while the run waits for others; absent otherwise. */
  statusText?: string
  /** The `contentVersion` that the manifest was written from. */
  inputVersion: number | null
  /** Storage key of the immutable manifest. */
  manifestKey: string | null
  /** True if what it shows was edited before it was complete. Later edits: `isRenderStale`. */
  stale: boolean
  /** Manifest of the last complete render, whose segments may be reused; absent where there is none. */
  previousManifestKey?: string
  /** Absent until the render is complete. */
  made?: RenderProvenance
}

/** Provenance of a render. */
export interface RenderProvenance {
  /** SHA-256 of the manifest and of the mp4, in hex. */
  inputsHash: string
  sha256: string
  /** Number of segments, how many of them were reused, and how many seconds were rendered. */
  reuse: { segments: number; reused: number; secondsRendered: number }
  /** Result of the quality checks; absent for renders from before they existed. */
  quality?: Quality
}

/** A stored render as it is posted. */
export interface PublishedRender {
  key: string
  /** Of the thumbnail. */
  coverKey: string
  bytes: number
  width: number
  height: number
  durationMs: number
}

/** State of publishing to one account. */
export interface PublishResult {
  accountId: string
  platform: PlatformId
  status: JobStatus
  /** Null if the platform reports none. */
  url: string | null
  error: JobError | null
}

export interface PublishJob {
  runId: string
  status: PublishStatus
  scheduledAt: string | null
  /** Null while scheduled. */
  queuedAt: string | null
  startedAt: string | null
  publishedAt: string | null
  failedAt: string | null
  /** Null while scheduled. */
  deadlineAt: string | null
  profileId: string
  /** The render to post, fixed when the job is queued; null while scheduled. */
  film: PublishedRender | null
  /** Platforms that were published to. */
  platforms: PlatformId[]
  missingPlatforms: PlatformId[]
  unhealthyPlatforms: PlatformId[]
  caption: string
  results: PublishResult[]
  /** Keys of this run's posts in `Video.posted`, by account id. Absent while scheduled. */
  marks?: Record<string, string>
  error: JobError | null
}

export interface ProcessOptions {
  transcribe: boolean
  addBRolls: boolean
  render: boolean
}

/** The kinds of jobs, by their field in the video record. */
export type JobKind = 'process' | 'render' | 'publish'

/** The jobs that run in the media container, where a later attempt can take over from an earlier one. */
export const mediaJobKinds = ['process', 'render'] as const
export type MediaJobKind = (typeof mediaJobKinds)[number]

/** Progress (percent) that each step of a generation reports when it starts. */
export const stageProgress = { script: 5, scenes: 10, voice: 15, visuals: 40 } as const
