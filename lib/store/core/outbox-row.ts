/** The row types of the outbox. */

import type { Alarm, Drop, Nudge, Purge } from '../../domain/core/outbox.ts'
import type { Start } from '../../domain/core/pipeline.ts'
import type { DomainEvent } from '../../domain/records/event.ts'

export type OutboxRow =
  | { kind: 'start'; workspaceId: string; createdAt: string; start: Start }
  | ({ kind: 'purge'; workspaceId: string; createdAt: string } & Purge & { purgedAt?: string })
  | { kind: 'wake'; workspaceId: string; createdAt: string; deliveryId: string; slow: boolean }
  | ({ kind: 'drop'; workspaceId: string; createdAt: string } & Drop)
  | ({ kind: 'nudge'; workspaceId: string; createdAt: string } & Nudge)
  | ({ kind: 'alarm'; workspaceId: string; createdAt: string } & Alarm)
  | EventRow

export interface EventRow {
  kind: 'event'
  workspaceId: string
  createdAt: string
  event: DomainEvent
  sequence: number
  takenAt?: string
  /** The envelope as it is posted. */
  payload?: string
  /** The deliveries that were made of it. */
  deliveryIds?: string[]
}
