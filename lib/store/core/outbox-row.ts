/**
 * The row types of the outbox. Three stored kinds have older names than the fields of `Decision` that write them: `wake`
 * is a delivery wake-up, `nudge` an automation wake-up, `alarm` a slot timer.
 */

import type { AutomationWakeUp, DeliveryDrop, DeliveryReplay, Purge, SlotTimer } from '../../domain/core/outbox.ts'
import type { PipelineStart } from '../../domain/core/pipeline.ts'
import type { DomainEvent } from '../../domain/records/event.ts'

export type OutboxRow =
  | { kind: 'start'; workspaceId: string; createdAt: string; start: PipelineStart }
  | ({ kind: 'purge'; workspaceId: string; createdAt: string } & Purge & { begunAt?: string; purgedAt?: string })
  | { kind: 'wake'; workspaceId: string; createdAt: string; deliveryId: string; slow: boolean }
  | ({ kind: 'drop'; workspaceId: string; createdAt: string } & DeliveryDrop)
  | ({ kind: 'replay'; workspaceId: string; createdAt: string } & DeliveryReplay)
  | ({ kind: 'nudge'; workspaceId: string; createdAt: string } & AutomationWakeUp)
  | ({ kind: 'alarm'; workspaceId: string; createdAt: string } & SlotTimer)
  | { kind: 'release'; workspaceId: string; createdAt: string; runIds: string[] }
  | EventRow

/** An event that is not in the journal yet. */
export interface EventRow {
  kind: 'event'
  workspaceId: string
  createdAt: string
  event: DomainEvent
  /** Orders events by their causes; unlike the `sequence` of the journal, with gaps. */
  sequence: number
  /** An earlier version fanned it out, and left the row. */
  takenAt?: string
}
