/** The events of a workspace: those of the journal, then those that the outbox still holds. */
import type { EventType } from '../../lib/domain/records/event.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { findOutboxRow } from '../../lib/store/core/outbox.ts'
import type { EventRow } from '../../lib/store/core/outbox-row.ts'
import { findJournalEntry, listEvents } from '../../lib/store/event-journal.ts'

/** In order; `facts` as the event is delivered, or as it waits for its delivery. */
export async function eventsIn(workspaceId: string): Promise<{ type: EventType; facts: Record<string, unknown> }[]> {
  const events = await listEvents(workspaceId)
  return Promise.all(
    events.map(async ({ id }) => {
      const row = (await findOutboxRow(keys.outbox(workspaceId, id))) as EventRow | undefined
      if (row) return row.event
      const { event, payload } = (await findJournalEntry(workspaceId, id))!
      return { type: event, facts: JSON.parse(payload).data }
    }),
  )
}

/** How often each type was emitted. */
export async function eventCounts(workspaceId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { type } of await listEvents(workspaceId)) counts[type] = (counts[type] ?? 0) + 1
  return counts
}
