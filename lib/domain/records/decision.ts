/**
 * What a rule decides: the next records, the charges, the events to tell, the pipelines to start. A decision is data; one
 * transaction writes all of it or nothing (`lib/store/core/commit.ts`).
 */

import type { Account, Profile } from '../accounts/profiles.ts'
import type { SealedTokens } from '../accounts/tokens.ts'
import type { Upload } from '../uploads/upload.ts'
import type { Video } from '../videos/create-video.ts'
import type { ActionKind, ActionRun } from '../videos/sync-job.ts'
import type { ListPlace } from '../videos/video-index.ts'
import type { Delivery } from '../webhooks/delivery.ts'
import type { Webhook } from '../webhooks/webhook.ts'
import type { DomainEvent } from './event.ts'
import type { SlotRecord } from './slot.ts'

/** What a video holds beside its own record. */
export interface Holdings {
  /** Bytes of all objects in storage that belong to it. */
  storedBytes: number
  /** How many videos were made from it and still exist. */
  clips: number
}

interface Removal {
  /** Removed with the video, and only while they are as they were seen. */
  holdings: Holdings
  /** True where the source of this clip was removed before it or is removed with it. */
  parentIsGone: boolean
}

/** A record before and after: `before` is undefined where it is new, `after` where it is removed. */
export type Change =
  | { record: 'video'; before: Video | undefined; after: Video }
  | ({ record: 'video'; before: Video; after: undefined } & Removal)
  | { record: 'action'; before: ActionRun | undefined; after: ActionRun }
  | { record: 'upload'; before: Upload | undefined; after: Upload }
  | { record: 'webhook'; before: Webhook | undefined; after: Webhook }
  | { record: 'webhook'; before: Webhook; after: undefined }
  | { record: 'delivery'; before: Delivery | undefined; after: Delivery }
  | { record: 'profile'; before: Profile | undefined; after: Profile }
  | { record: 'account'; before: Account | undefined; after: Account }
  | { record: 'account'; before: Account; after: undefined }
  | { record: 'tokens'; before: SealedTokens | undefined; after: SealedTokens }
  | { record: 'tokens'; before: SealedTokens; after: undefined }

/** Video credits pay for generations and texts, avatar credits for presenters. */
export type CreditUnit = 'video' | 'avatar'

/** One move of credits, written once into the ledger under `<run>#<kind>`; a grant of the operator has an id of its own for a run. */
export interface Charge {
  kind: 'reserve' | 'capture' | 'release' | 'grant'
  runId: string
  credits: number
  unit: CreditUnit
  /** False on plans without a balance: the ledger tells what was used, nothing is taken. */
  metered: boolean
  /** Where this reserves a generation: how many the plan allows in a month. */
  generation?: { limit: number | null }
}

/** The first charge of a month starts the month's counters again and tops the balance up to what the plan grants. */
export interface Renewal {
  /** The month that the record was in, as `2026-11`. */
  from: string
  month: string
  /** What is added to the balance, as it was seen together with what was reserved of it. */
  credits: number
  seenBalance: number
  seenReserved: number
  granted: number
}

export type Pipeline = 'generate' | 'render' | 'act' | 'publish'

/** A wish to start an execution; its name is `<pipeline>-<runId>`, so that a repeat meets the running one. */
export type Start =
  | { pipeline: 'generate' | 'render' | 'publish'; videoId: string; runId: string }
  | { pipeline: 'act'; videoId: string; runId: string; kind: ActionKind; target: string }

/** What is left of a video that was removed, until nothing is: its clips, its runs, its objects. */
export interface Purge {
  videoId: string
  /** How many clips it had: all of them have to be found. */
  clips: number
  runs: { pipeline: Pipeline; runId: string }[]
}

/** Deliveries to an endpoint that were queued before its epoch: they are not sent any more. */
export interface Drop {
  webhookId: string
  epoch: number
}

/**
 * Something ended that an automation waits for (the clip, where it is about one); or something came that automations may have lacked: those
 * that publish to the profile, or all of the workspace.
 */
export type Nudge = { automationId: string; clipId: string | null; cause: string } | Supply

/** `cause`, here and above: the change that it tells of. */
export interface Supply {
  profileId: string | null
  cause: string
  /** Those up to this one have been told. */
  behind?: ListPlace
}

/** An automation that wants to be woken. */
export interface Alarm {
  automationId: string
  at: string
  /** The change that planned it. */
  cause: string
}

export interface Decision {
  workspaceId: string
  /** When it was decided. */
  at: string
  changes: Change[]
  /** The month in which its charges count; decided from the workspace as it was seen. */
  month?: string
  renewal?: Renewal
  charges: Charge[]
  events: DomainEvent[]
  starts: Start[]
  purges?: Purge[]
  /** Deliveries whose first attempt is due; `slow` where their endpoint is served apart. */
  wakes?: { deliveryId: string; slow: boolean }[]
  drops?: Drop[]
  /** How many automations the plan allows, where one more is made. */
  automationsMax?: number | null
  /** Automations that have to decide anew. */
  nudges?: Nudge[]
  /** Slots that were planned. */
  alarms?: Alarm[]
  /** What became of slots. */
  slots?: SlotRecord[]
}

/** The videos that it changes, as they then are. */
export const videosAfter = ({ changes }: Pick<Decision, 'changes'>): Video[] =>
  changes.flatMap((change) => (change.record === 'video' && change.after ? [change.after] : []))

/** A decision about one video, and the video as it then is. */
export interface VideoDecision extends Decision {
  video: Video
}
