/**
 * Reads rows that older releases wrote, and fills the attributes that those did not write. Reading writes nothing and
 * migrates no row: the next decision on a record writes only what it changes. docs/decisions/0031-row-compatibility.md
 * states how far back this reaches.
 */
import { gzipSync } from 'node:zlib'
import type { Delivery } from '../../domain/records/delivery.ts'
import type { SyncJob, SyncJobOutcome } from '../../domain/records/sync-job.ts'
import type { Webhook } from '../../domain/records/webhook.ts'
import type { Workspace } from '../../domain/workspaces/workspace.ts'
import type { EventRow, OutboxRow } from './outbox-row.ts'
import { recordOf } from './rows.ts'

type Row = Record<string, unknown>
/** A record of which some fields may be missing. */
type Partially<Kept, Names extends keyof Kept> = Omit<Kept, Names> & Partial<Pick<Kept, Names>>

export function workspaceOf(row: Row): Workspace {
  type First = Partially<Workspace, 'creditsReserved' | 'creditsExtra' | 'month' | 'uploadsWaiting'> & {
    generationsMonth?: string
  }
  const { generationsMonth = '', ...workspace } = recordOf<First>(row)
  return { creditsReserved: 0, creditsExtra: 0, uploadsWaiting: 0, month: generationsMonth, ...workspace }
}

export function webhookOf(row: Row): Webhook {
  const webhook = recordOf<Partially<Webhook, 'enabledSince'>>(row)
  return { enabledSince: webhook.createdAt, ...webhook }
}

export const deliveryOf = (row: Row): Delivery => ({ claims: 0, ...recordOf<Partially<Delivery, 'claims'>>(row) })

/** Older releases stored answers uncompressed. */
export function syncJobOf(row: Row): SyncJob {
  const action = recordOf<SyncJob>(row)
  const { previous } = action
  return { ...action, answer: compressed(action), previous: previous && { ...previous, answer: compressed(previous) } }
}

const compressed = ({ answer }: { answer: SyncJobOutcome['answer'] | string }) =>
  typeof answer === 'string' ? gzipSync(answer) : answer

/** Older releases stored events without a number. */
export const outboxRowOf = (row: Row): OutboxRow =>
  row.kind === 'event' ? eventOf(row) : (row as unknown as Exclude<OutboxRow, EventRow>)

export const eventOf = (row: Row): EventRow => ({ sequence: 0, ...(row as unknown as Partially<EventRow, 'sequence'>) })
