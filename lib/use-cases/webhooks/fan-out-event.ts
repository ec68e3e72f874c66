/**
 * Fans an event out: one delivery per endpoint that was subscribed when the event occurred. Called by the outbox
 * dispatcher.
 */
import { enqueueDeliveries } from '../../aws/delivery-queue.ts'
import { eventEnvelopeView } from '../../bound-views/events.ts'
import { now } from '../../clock.ts'
import { fanOutDeliveries } from '../../domain/webhooks/delivery-attempts.ts'
import { isSlow } from '../../domain/webhooks/webhook-lifecycle.ts'
import { log } from '../../log.ts'
import type { Key } from '../../store/core/keys.ts'
import { commitFanOut } from '../../store/core/outbox.ts'
import type { EventRow } from '../../store/core/outbox-row.ts'
import { listWebhooks } from '../../store/webhooks.ts'

/**
 * Idempotent: the fan-out of an event is committed once with all its deliveries; a second wake-up of a worker has no
 * effect.
 */
export async function fanOutEvent(key: Key, row: EventRow): Promise<void> {
  const { workspaceId, event, sequence } = row
  // A redispatch after a crash: as not slow, which only affects the queue of this one attempt, not its correctness.
  if (row.takenAt) return enqueueFirstAttempts(workspaceId, row.deliveryIds ?? [])
  const webhooks = await listWebhooks(workspaceId)
  const payload = JSON.stringify(eventEnvelopeView(workspaceId, event, sequence))
  const deliveries = fanOutDeliveries(event, payload, webhooks)
  if (!(await commitFanOut(key, payload, deliveries, now()))) return
  const slow = new Set(webhooks.filter(isSlow).map(({ id }) => id))
  await enqueueFirstAttempts(
    workspaceId,
    deliveries.map(({ id }) => id),
    (index) => slow.has(deliveries[index]!.webhookId),
  )
  log.info('event.taken', { workspaceId, event: event.type, eventId: event.id, deliveries: deliveries.length })
}

export const enqueueFirstAttempts = (
  workspaceId: string,
  deliveryIds: readonly string[],
  isSlowAt: (index: number) => boolean = () => false,
): Promise<void> =>
  enqueueDeliveries(
    deliveryIds.map((deliveryId, index) => ({
      workspaceId,
      deliveryId,
      attempt: 0,
      delaySeconds: 0,
      slow: isSlowAt(index),
    })),
  )
