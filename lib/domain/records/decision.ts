/**
 * The result of a business rule, as data: record changes, charges, events and pipelines to start. One transaction writes
 * all of it or nothing (`lib/store/core/commit.ts`). No rule belongs here.
 */

import type { Charge, CreditRenewal } from '../core/credits.ts'
import type { AutomationWakeUp, DeliveryDrop, DeliveryReplay, Purge, SlotTimer } from '../core/outbox.ts'
import type { PipelineStart } from '../core/pipeline.ts'
import { isOpen } from '../core/states.ts'
import type { Account } from './account.ts'
import type { ApiKey } from './api-key.ts'
import type { Delivery } from './delivery.ts'
import type { DomainEvent } from './event.ts'
import { mediaJobKinds } from './jobs.ts'
import type { Profile } from './profile.ts'
import type { SlotRecord } from './slot.ts'
import type { SyncJob } from './sync-job.ts'
import type { SealedTokens } from './tokens.ts'
import type { Upload } from './upload.ts'
import type { Video } from './video.ts'
import type { Webhook } from './webhook.ts'

/** The storage and clips that a video accounts for. */
export interface VideoUsage {
  /** Total bytes of its stored objects. */
  storedBytes: number
  /** Existing videos that were derived from it. */
  clips: number
}

/** An object in storage, named relative to its video. */
export interface StoredObject {
  name: string
  bytes: number
}

interface Removal {
  /** The usage that the decision read: the commit fails if it has changed since. */
  holdings: VideoUsage
  /** True if the source of this clip was removed before, or is removed in the same commit. */
  parentIsGone: boolean
}

/** A record before and after the decision: no `before` creates it, no `after` removes it. */
export type RecordChange =
  /** `source`: the object that a new video was made from, which is counted with it. */
  | { record: 'video'; before: Video | undefined; after: Video; source?: StoredObject }
  | ({ record: 'video'; before: Video; after: undefined } & Removal)
  | { record: 'syncJob'; before: SyncJob | undefined; after: SyncJob }
  | { record: 'upload'; before: Upload | undefined; after: Upload }
  | { record: 'webhook'; before: Webhook | undefined; after: Webhook }
  | { record: 'webhook'; before: Webhook; after: undefined }
  | { record: 'delivery'; before: Delivery | undefined; after: Delivery }
  | { record: 'profile'; before: Profile | undefined; after: Profile }
  | { record: 'account'; before: Account | undefined; after: Account }
  | { record: 'account'; before: Account; after: undefined }
  | { record: 'tokens'; before: SealedTokens | undefined; after: SealedTokens }
  | { record: 'tokens'; before: SealedTokens; after: undefined }
  | { record: 'apiKey'; before: ApiKey | undefined; after: ApiKey }

/**
 * The commit writes these of its lists as outbox rows, each with a stored `kind` (`lib/store/core/outbox-row.ts`):
 * `starts` → `start`, `events` → `event`, `purges` → `purge`, `deliveryWakeUps` → `wake`, `deliveryDrops` → `drop`,
 * `deliveryReplays` → `replay`, `automationWakeUps` → `nudge`, `slotTimers` → `alarm`.
 */
export interface Decision {
  workspaceId: string
  /** ISO, time of the decision. */
  at: string
  changes: RecordChange[]
  /** The month (`2026-11`) that its charges count in, computed from the workspace that the rule read. */
  month?: string
  renewal?: CreditRenewal
  charges: Charge[]
  events: DomainEvent[]
  starts: PipelineStart[]
  purges?: Purge[]
  /** Deliveries whose first attempt is due; `slow` ones go to the queue for slow endpoints. */
  deliveryWakeUps?: { deliveryId: string; slow: boolean }[]
  deliveryDrops?: DeliveryDrop[]
  deliveryReplays?: DeliveryReplay[]
  /** Set if the decision adds an automation: how many the plan allows; null is unlimited. */
  automationsMax?: number | null
  /** Set if the decision stores or reserves bytes: the storage of the plan; null is unlimited. */
  storageBytesMax?: number | null
  /** Automations to reconcile. */
  automationWakeUps?: AutomationWakeUp[]
  /** Timers to create for planned slots. */
  slotTimers?: SlotTimer[]
  /** The commit fails unless this key is still valid. */
  actingKey?: ApiKey
  /** Outcomes of slots. */
  slotRecords?: SlotRecord[]
}

/** A decision that only changes records; spread it to add charges, events or starts. */
export const newDecision = (workspaceId: string, changes: RecordChange[], now: string): Decision => ({
  workspaceId,
  at: now,
  changes,
  charges: [],
  events: [],
  starts: [],
})

/** The changed videos, in their new state. */
export const changedVideos = ({ changes }: Pick<Decision, 'changes'>): Video[] =>
  changes.flatMap((change) => (change.record === 'video' && change.after ? [change.after] : []))

/** The runs of generations and renders that the decision ends: their permits are free again. */
export const endedRuns = ({ changes }: Pick<Decision, 'changes'>): string[] =>
  changes.flatMap((change) => {
    if (change.record !== 'video' || !change.before) return []
    const { before, after } = change
    return mediaJobKinds.flatMap((kind) => {
      const runId = isOpen(before[kind]) ? before[kind]!.runId : undefined
      const isStillOpen = isOpen(after?.[kind] ?? null) && after?.[kind]?.runId === runId
      return runId && !isStillOpen ? [runId] : []
    })
  })

/** A decision on one video, with the video in its new state. */
export interface VideoDecision extends Decision {
  video: Video
}
