/**
 * Rows of earlier versions: what those did not write, as this version reads it. Nothing is written on reading, and no row is moved: the next
 * decision on a record writes what it changes, and no more. docs/decisions/0031-older-rows.md says how far back this reaches.
 */
import { gzipSync } from 'node:zlib'
import type { Delivery } from '../../domain/records/delivery.ts'
import type { SyncJob, SyncJobOutcome } from '../../domain/records/sync-job.ts'
import type { Webhook } from '../../domain/records/webhook.ts'
import type { Workspace } from '../../domain/workspaces/workspace.ts'
import type { EventRow, OutboxRow } from './outbox-row.ts'
import { recordOf } from './rows.ts'

type Row = Record<string, unknown>
/** A record that may lack some fields. */
type Partially<Kept, Names extends keyof Kept> = Omit<Kept, Names> & Partial<Pick<Kept, Names>>

export function workspaceOf(row: Row): Workspace {
  type First = Partially<Workspace, 'creditsReserved' | 'creditsExtra' | 'month'> & { generationsMonth?: string }
  const { generationsMonth = '', ...workspace } = recordOf<First>(row)
  return { creditsReserved: 0, creditsExtra: 0, month: generationsMonth, ...workspace }
}

export function webhookOf(row: Row): Webhook {
  const webhook = recordOf<Partially<Webhook, 'enabledSince'>>(row)
  return { enabledSince: webhook.createdAt, ...webhook }
}

export const deliveryOf = (row: Row): Delivery => ({ claims: 0, ...recordOf<Partially<Delivery, 'claims'>>(row) })

/** Answers were once kept as they are sent. */
export function syncJobOf(row: Row): SyncJob {
  const action = recordOf<SyncJob>(row)
  const { previous } = action
  return { ...action, answer: compressed(action), previous: previous && { ...previous, answer: compressed(previous) } }
}

const compressed = ({ answer }: { answer: SyncJobOutcome['answer'] | string }) =>
  typeof answer === 'string' ? gzipSync(answer) : answer

/** Events had no number before there was anybody to tell them to. */
export const outboxRowOf = (row: Row): OutboxRow =>
  row.kind === 'event' ? eventOf(row) : (row as unknown as Exclude<OutboxRow, EventRow>)

export const eventOf = (row: Row): EventRow => ({ sequence: 0, ...(row as unknown as Partially<EventRow, 'sequence'>) })
