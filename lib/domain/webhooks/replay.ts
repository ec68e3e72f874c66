/** Replays: events of the journal are delivered to an endpoint again, a range at a time. */
import { deterministicIdAt } from '../core/id.ts'
import type { DeliveryReplay } from '../core/outbox.ts'
import { Refusal } from '../core/refusal.ts'
import { secondsAfter } from '../core/time.ts'
import { type Decision, newDecision } from '../records/decision.ts'
import type { Delivery } from '../records/delivery.ts'
import type { EventType } from '../records/event.ts'
import type { Webhook } from '../records/webhook.ts'
import { newDelivery } from './delivery-attempts.ts'
import type { JournalEntry, JournalRow } from './event-journal.ts'
import { knownEvents } from './webhook-lifecycle.ts'

/** Events of one request. */
export const replayEventsMax = 1_000
/** The pace at which a receiver gets attempts anyway: a replay does not fill the queue in front of other deliveries. */
export const replayedPerSecond = 10
/** Events of one outbox row, so that other rows do not wait for a long one. */
const eventsPerRow = 100

/** Both ends are included: a `sequence`, or a time that is compared with `createdAt`. */
export interface ReplayRange {
  from: number | string
  to: number | string
  types: readonly EventType[]
}

/** The range of a request; refuses what the endpoint would not get otherwise. */
export function replayRange(
  webhook: Webhook,
  { from, to, events }: { from: number | string; to: number | string; events?: string[] | undefined },
): ReplayRange {
  if (typeof from === typeof to && from > to)
    throw new Refusal('invalid-request', 'The range ends before it begins.', {
      details: [{ path: 'body.to', message: 'must not be before `from`' }],
    })
  const types = events ? knownEvents(events) : webhook.events
  const others = types.filter((type) => !webhook.events.includes(type))
  if (others.length > 0)
    throw new Refusal(
      'conflict',
      `The endpoint does not subscribe to ${others.join(', ')}. Add it to its \`events\`, then replay.`,
    )
  return { from, to, types }
}

export const isInRange = (row: JournalRow, { from, to, types }: ReplayRange): boolean =>
  types.includes(row.event) &&
  (typeof from === 'number' ? row.sequence >= from : row.createdAt >= from) &&
  (typeof to === 'number' ? row.sequence <= to : row.createdAt <= to)

/** The numbers to read: after the first, up to the last. */
export const sequencesOf = ({ from, to }: ReplayRange): [after: number, last: number] => [
  typeof from === 'number' ? from - 1 : 0,
  typeof to === 'number' ? to : Infinity,
]

/** Queues the events, in parts. `rows`: one more than allowed where there are more. */
export function replayEvents(webhook: Webhook, rows: readonly JournalRow[], replayId: string, now: string): Decision {
  if (!webhook.enabled) throw new Refusal('conflict', 'The endpoint is disabled. Enable it, then replay its events.')
  if (rows.length > replayEventsMax) {
    const { sequence } = rows[replayEventsMax - 1]!
    const most = replayEventsMax.toLocaleString('en')
    throw new Refusal('invalid-request', `The range has more than ${most} events. Replay it in parts.`, {
      details: [
        { path: 'body.to', message: `must select at most ${most} events: here up to the sequence ${sequence}` },
      ],
    })
  }
  const { workspaceId, id: webhookId, epoch } = webhook
  const offsets = Array.from({ length: Math.ceil(rows.length / eventsPerRow) }, (_, index) => index * eventsPerRow)
  const deliveryReplays = offsets.map(
    (offset): DeliveryReplay => ({
      webhookId,
      epoch,
      cause: `${replayId}#${offset}`,
      eventIds: rows.slice(offset, offset + eventsPerRow).map(({ id }) => id),
      offset,
    }),
  )
  return { ...newDecision(workspaceId, [], now), deliveryReplays }
}

/** The deliveries of a part; none where the endpoint was disabled since. `timeScale` divides the delays. */
export function replayDeliveries(
  webhook: Webhook,
  { epoch, cause, offset, createdAt }: Pick<DeliveryReplay, 'epoch' | 'cause' | 'offset'> & { createdAt: string },
  entries: readonly JournalEntry[],
  timeScale: number,
): Delivery[] {
  if (!webhook.enabled || webhook.epoch !== epoch) return []
  return entries.map(({ id: eventId, event, payload }, index) => {
    // Deterministic: a repeated part makes no second delivery.
    const id = deterministicIdAt('dlv', createdAt, cause, eventId)
    const delaySeconds = Math.floor((offset + index) / replayedPerSecond) / timeScale
    return newDelivery(webhook, { id, event, payload, createdAt }, secondsAfter(createdAt, delaySeconds))
  })
}
