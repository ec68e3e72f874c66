/** Reads the event journal for a client, and waits for the next event where there is none. Called by GET /events. */
import { poll } from '../../async.ts'
import { now } from '../../clock.ts'
import { type JournalEntry, journalStart } from '../../domain/webhooks/event-journal.ts'
import { findJournalHead, hasSequence, type JournalQuery, readJournal } from '../../store/event-journal.ts'
import { withWaitPermit } from '../sync-jobs/wait-permit.ts'

export interface EventPage {
  entries: JournalEntry[]
  /** The cursor of the next page. */
  nextAfter: number
  lastSequence: number
  /** Whether events after the cursor have expired unread, or no event has had its number. */
  missed: boolean
}

const pauseMs = { first: 200, growth: 1.3, last: 800 }

/** @throws Refusal `rate-limited` where too many requests of the workspace wait already. */
export async function readEvents(workspaceId: string, query: JournalQuery, waitSeconds: number): Promise<EventPage> {
  const at = now()
  const first = await readPage(workspaceId, query)
  if (first.entries.length > 0 || waitSeconds === 0) return first
  return withWaitPermit(workspaceId, async (permit) => {
    await permit.acquire()
    let { nextAfter: after, lastSequence } = first
    const read = async () => {
      const page = await readJournal(workspaceId, { ...query, after }, now())
      after = page.nextAfter
      return page
    }
    const { entries, nextAfter } = await poll(read, (page) => page.entries.length > 0, {
      pauseMs,
      until: Date.parse(at) + waitSeconds * 1000,
    })
    lastSequence = Math.max(lastSequence, nextAfter)
    return { entries, nextAfter, lastSequence, missed: first.missed }
  })
}

async function readPage(workspaceId: string, query: JournalQuery): Promise<EventPage> {
  const { after } = query
  const [head, page] = await Promise.all([findJournalHead(workspaceId), readJournal(workspaceId, query, now())])
  const newest = head?.sequence ?? 0
  const end = { entries: [], nextAfter: newest, lastSequence: newest }
  // A cursor of another workspace, or from before the table was restored: its numbers will come a second time.
  if (after > newest && !(await hasSequence(workspaceId, after))) return { ...end, missed: true }
  // The table may have deleted expired entries already, up to the newest.
  if (head && newest > page.nextAfter && head.enteredAt < journalStart(now())) return { ...end, missed: after > 0 }
  return { ...page, lastSequence: Math.max(newest, page.nextAfter) }
}
