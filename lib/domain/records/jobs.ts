/**
 * The job documents of a video: what runs for it, how far it is, why it ended. `runId` fences every later write of a run;
 * `attempt` fences one worker of a run against another.
 */

import type { CreditUnit } from '../core/credits.ts'
import type { JobError } from '../core/failures.ts'
import type { PlatformId } from '../core/platform.ts'
import type { JobStatus, PublishStatus } from '../core/states.ts'
import type { Brief } from './brief.ts'
import type { Quality } from './quality.ts'

/** What the price of a generation depends on. */
export type GenerationTerms = Pick<Brief, 'targetDuration' | 'videoDuration' | 'voiceId' | 'voiceProvider'>

/** What was reserved for a run when it was accepted; `metered` is false on plans without a balance. */
export interface RunCharge {
  credits: number
  unit: CreditUnit
  metered: boolean
  /** What it pays for: an edit of the brief applies to the next generation. Absent of what is no generation, and in older records. */
  terms?: GenerationTerms
}

/** What a generation job does: the whole, only a new script, a clip that reuses its source, a source file, a conversion. */
export const processKinds = ['generate', 'script', 'clip', 'ingest', 'convert'] as const
export type ProcessKind = (typeof processKinds)[number]

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
  /** The stage in words, for people. */
  statusText: string | null
  work: ProcessKind
  wishes: ProcessOptions
  /** Null where it costs nothing. */
  charge: RunCharge | null
  /** What was measured of the result; absent until there is one, and where nothing is made. */
  quality?: Quality
}

export interface RenderJob extends Job {
  /** The video's `contentVersion` that the manifest was written from. */
  inputVersion: number | null
  /** Storage key of the immutable manifest. */
  manifestKey: string | null
  /** True where the video was edited after the manifest was written. */
  stale: boolean
  /** The manifest of the render before, whose segments may still be there; absent where there was none. */
  previousManifestKey?: string
  /** Absent until the film is there. */
  made?: RenderProvenance
}

/** How a film came about. */
export interface RenderProvenance {
  /** SHA-256 of the manifest and of the mp4, in hex. */
  inputsHash: string
  sha256: string
  /** Of how many segments the film consists, how many of them were there already, and how much was rendered. */
  reuse: { segments: number; reused: number; secondsRendered: number }
  /** What was measured of it; absent of films that were made before it was. */
  quality?: Quality
}

/** A film in storage, as it is posted. */
export interface PublishedRender {
  key: string
  /** Of the thumbnail. */
  coverKey: string
  bytes: number
  width: number
  height: number
  durationMs: number
}

/** How publishing to one account stands. */
export interface PublishResult {
  accountId: string
  platform: PlatformId
  status: JobStatus
  /** Where the platform tells it. */
  url: string | null
  error: JobError | null
}

export interface PublishJob {
  runId: string
  status: PublishStatus
  scheduledAt: string | null
  /** Null while it only has its slot. */
  queuedAt: string | null
  startedAt: string | null
  publishedAt: string | null
  failedAt: string | null
  /** Null while it only has its slot. */
  deadlineAt: string | null
  profileId: string
  /** What is posted, fixed when it was accepted; null while it only has its slot. */
  film: PublishedRender | null
  /** Those that were reached. */
  platforms: PlatformId[]
  missingPlatforms: PlatformId[]
  unhealthyPlatforms: PlatformId[]
  caption: string
  results: PublishResult[]
  /** By account id: under what `Video.posted` remembers this run's posts. Absent while it only has its slot. */
  marks?: Record<string, string>
  error: JobError | null
}

export interface ProcessOptions {
  transcribe: boolean
  addBRolls: boolean
  render: boolean
}

/** The jobs that make something, by workers that may take over from each other. */
export type JobKind = 'process' | 'render'
