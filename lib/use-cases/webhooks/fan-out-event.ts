/**
 * Enters events into the journal of their workspace, in the order of their causes, and fans each out: one delivery per
 * endpoint that was subscribed when it occurred. Called by the outbox dispatcher.
 */
import { enqueueDeliveries } from '../../aws/delivery-queue.ts'
import { eventEnvelopeView } from '../../bound-views/events.ts'
import { now } from '../../clock.ts'
import type { Webhook } from '../../domain/records/webhook.ts'
import { fanOutDeliveries } from '../../domain/webhooks/delivery-attempts.ts'
import { type JournalEntry, nextPosition } from '../../domain/webhooks/event-journal.ts'
import { isSlow } from '../../domain/webhooks/webhook-lifecycle.ts'
import { log } from '../../log.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import { keys } from '../../store/core/keys.ts'
import { deleteOutboxRow, listPendingEvents } from '../../store/core/outbox.ts'
import type { EventRow } from '../../store/core/outbox-row.ts'
import { appendEntry, findJournalEntry, findJournalHead } from '../../store/event-journal.ts'
import { listWebhooks } from '../../store/webhooks.ts'

/** The events of one pass over the outbox of a workspace. */
interface Pass {
  rows: EventRow[]
  done: Promise<void>
}

/** By workspace: the pass that has not begun, and the last one that has. */
const waiting = new Map<string, Pass>()
const running = new Map<string, Promise<void>>()

/**
 * Idempotent: an event enters the journal once, together with all its deliveries. Events of one workspace that arrive
 * while another is entered share a pass, since all of them need the same head of the journal.
 */
export function fanOutEvent(row: EventRow): Promise<void> {
  const { workspaceId } = row
  const open = waiting.get(workspaceId)
  if (open) {
    open.rows.push(row)
    return open.done
  }
  const begin = () => {
    waiting.delete(workspaceId)
    running.set(workspaceId, pass.done)
    return enterEvents(workspaceId, pass.rows)
  }
  const end = () => {
    if (running.get(workspaceId) === pass.done) running.delete(workspaceId)
  }
  const before = running.get(workspaceId) ?? Promise.resolve()
  const pass: Pass = { rows: [row], done: before.then(begin, begin).finally(end) }
  waiting.set(workspaceId, pass)
  return pass.done
}

/**
 * Enters `rows`, and before each all events that may have caused it: those with lower numbers. They were committed before
 * these numbers were drawn, so that a query that starts after `rows` were read finds them. Higher ones are left to their
 * own wake-ups.
 */
async function enterEvents(workspaceId: string, rows: readonly EventRow[]): Promise<void> {
  const newest = Math.max(...rows.map(({ sequence }) => sequence))
  const ownIds = new Set(rows.map(({ event }) => event.id))
  const pending = (await listPendingEvents(workspaceId)).filter(({ sequence }) => sequence <= newest)
  if (pending.length === 0) return
  const webhooks = await listWebhooks(workspaceId)
  const failures: unknown[] = []
  const announcing: Promise<unknown>[] = []
  for (const row of pending) {
    const entered = await retryOnConflict(() => enterEvent(row, webhooks)).catch((error) => {
      if (!(error instanceof UnreadableEvent)) throw error
      if (ownIds.has(row.event.id)) failures.push(error)
    })
    if (!entered) continue
    const { entry, isNew, slowIds } = entered
    // Another worker that has entered an event announces it, unless it crashed: then the event's own wake-up does.
    if (isNew || ownIds.has(row.event.id))
      announcing.push(announce(entry, slowIds).catch((error) => failures.push(error)))
  }
  await Promise.all(announcing)
  if (failures.length > 0) throw failures[0]
}

/** No payload can be made of it. Its own wake-ups report that; it must not hold up the other events of its workspace. */
class UnreadableEvent extends Error {
  override name = 'UnreadableEvent'
}

function payloadOf({ workspaceId, event }: EventRow, sequence: number): string {
  try {
    return JSON.stringify(eventEnvelopeView(workspaceId, event, sequence))
  } catch (cause) {
    throw new UnreadableEvent(`The event ${event.id} has no payload.`, { cause })
  }
}

interface Entered {
  entry: JournalEntry
  /** False where the event was in the journal already. */
  isNew: boolean
  /** The deliveries to slow endpoints. */
  slowIds: ReadonlySet<string>
}

async function enterEvent(row: EventRow, webhooks: readonly Webhook[]): Promise<Entered> {
  const { workspaceId, event, sequence: caused } = row
  const head = await findJournalHead(workspaceId)
  const at = now()
  const position = nextPosition(head, caused, at)
  const payload = payloadOf(row, position.sequence)
  const deliveries = fanOutDeliveries(event, payload, webhooks, at)
  const { id, type, createdAt } = event
  const deliveryIds = deliveries.map((delivery) => delivery.id)
  const entry = { ...position, id, workspaceId, event: type, createdAt, payload, deliveryIds }
  if (!(await appendEntry(head, entry, deliveries))) {
    const known = await findJournalEntry(workspaceId, id)
    // As not slow, which only affects the queue of the first attempts, not their correctness.
    return { entry: known!, isNew: false, slowIds: new Set() }
  }
  const slow = new Set(webhooks.filter(isSlow).map((webhook) => webhook.id))
  const slowIds = new Set(deliveries.filter(({ webhookId }) => slow.has(webhookId)).map((delivery) => delivery.id))
  return { entry, isNew: true, slowIds }
}

/** Queues the deliveries of an entry, and only then removes the event from the outbox. */
async function announce(entry: JournalEntry, slowIds: ReadonlySet<string>): Promise<void> {
  const { workspaceId, id, event, sequence, deliveryIds } = entry
  await enqueueFirstAttempts(workspaceId, deliveryIds, (deliveryId) => slowIds.has(deliveryId))
  await deleteOutboxRow(keys.outbox(workspaceId, id))
  log.info('event.taken', { workspaceId, event, eventId: id, sequence, deliveries: deliveryIds.length })
}

export const enqueueFirstAttempts = (
  workspaceId: string,
  deliveryIds: readonly string[],
  isSlow: (deliveryId: string) => boolean = () => false,
): Promise<void> =>
  enqueueDeliveries(
    deliveryIds.map((deliveryId) => ({
      workspaceId,
      deliveryId,
      attempt: 0,
      delaySeconds: 0,
      slow: isSlow(deliveryId),
    })),
  )
