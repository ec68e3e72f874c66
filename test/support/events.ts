/** The events of a workspace as the outbox holds them. */
import type { DomainEvent } from '../../lib/domain/records/event.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { findOutboxRow, listEvents } from '../../lib/store/core/outbox.ts'
import type { EventRow } from '../../lib/store/core/outbox-row.ts'

/** In the order in which they were emitted. */
export async function eventsIn(workspaceId: string): Promise<DomainEvent[]> {
  const events = await listEvents(workspaceId)
  const rows = await Promise.all(events.map(({ id }) => findOutboxRow(keys.outbox(workspaceId, id))))
  return rows.map((row) => (row as EventRow).event)
}

/** How often each type was emitted. */
export async function eventCounts(workspaceId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { type } of await listEvents(workspaceId)) counts[type] = (counts[type] ?? 0) + 1
  return counts
}
