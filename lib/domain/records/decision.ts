/**
 * What a rule decides: the next records, the charges, the events to tell, the pipelines to start. A decision is data; one
 * transaction writes all of it or nothing (`lib/store/core/commit.ts`).
 */

import type { Charge, CreditRenewal } from '../core/credits.ts'
import type { AutomationWakeUp, DeliveryDrop, Purge, SlotTimer } from '../core/outbox.ts'
import type { PipelineStart } from '../core/pipeline.ts'
import type { Account } from './account.ts'
import type { Delivery } from './delivery.ts'
import type { DomainEvent } from './event.ts'
import type { Profile } from './profile.ts'
import type { SlotRecord } from './slot.ts'
import type { SyncJob } from './sync-job.ts'
import type { SealedTokens } from './tokens.ts'
import type { Upload } from './upload.ts'
import type { Video } from './video.ts'
import type { Webhook } from './webhook.ts'

/** What a video holds beside its own record. */
export interface VideoUsage {
  /** Bytes of all objects in storage that belong to it. */
  storedBytes: number
  /** How many videos were made from it and still exist. */
  clips: number
}

interface Removal {
  /** Removed with the video, and only while they are as they were seen. */
  holdings: VideoUsage
  /** True where the source of this clip was removed before it or is removed with it. */
  parentIsGone: boolean
}

/** A record before and after: `before` is undefined where it is new, `after` where it is removed. */
export type RecordChange =
  | { record: 'video'; before: Video | undefined; after: Video }
  | ({ record: 'video'; before: Video; after: undefined } & Removal)
  | { record: 'action'; before: SyncJob | undefined; after: SyncJob }
  | { record: 'upload'; before: Upload | undefined; after: Upload }
  | { record: 'webhook'; before: Webhook | undefined; after: Webhook }
  | { record: 'webhook'; before: Webhook; after: undefined }
  | { record: 'delivery'; before: Delivery | undefined; after: Delivery }
  | { record: 'profile'; before: Profile | undefined; after: Profile }
  | { record: 'account'; before: Account | undefined; after: Account }
  | { record: 'account'; before: Account; after: undefined }
  | { record: 'tokens'; before: SealedTokens | undefined; after: SealedTokens }
  | { record: 'tokens'; before: SealedTokens; after: undefined }

export interface Decision {
  workspaceId: string
  /** When it was decided. */
  at: string
  changes: RecordChange[]
  /** The month in which its charges count; decided from the workspace as it was seen. */
  month?: string
  renewal?: CreditRenewal
  charges: Charge[]
  events: DomainEvent[]
  starts: PipelineStart[]
  purges?: Purge[]
  /** Deliveries whose first attempt is due; `slow` where their endpoint is served apart. */
  deliveryWakeUps?: { deliveryId: string; slow: boolean }[]
  deliveryDrops?: DeliveryDrop[]
  /** How many automations the plan allows, where one more is made. */
  automationsMax?: number | null
  /** Automations that have to decide anew. */
  wakeUps?: AutomationWakeUp[]
  /** Slots that were planned. */
  slotTimers?: SlotTimer[]
  /** What became of slots. */
  slotRecords?: SlotRecord[]
}

/** The videos that it changes, as they then are. */
export const changedVideos = ({ changes }: Pick<Decision, 'changes'>): Video[] =>
  changes.flatMap((change) => (change.record === 'video' && change.after ? [change.after] : []))

/** A decision about one video, and the video as it then is. */
export interface VideoDecision extends Decision {
  video: Video
}
