/** Makes the deliveries of a part of a replay, and queues them. Called by the outbox dispatcher. */
import { parallelLimit } from '../../async.ts'
import { enqueueDeliveries } from '../../aws/delivery-queue.ts'
import { now } from '../../clock.ts'
import type { DeliveryReplay } from '../../domain/core/outbox.ts'
import { secondsUntilAttempt } from '../../domain/webhooks/delivery-attempts.ts'
import { replayDeliveries } from '../../domain/webhooks/replay.ts'
import { isSlow } from '../../domain/webhooks/webhook-lifecycle.ts'
import { env } from '../../env.ts'
import { createDelivery } from '../../store/deliveries.ts'
import { getEntries } from '../../store/event-journal.ts'
import { findWebhook } from '../../store/webhooks.ts'

const concurrency = 10

/** Idempotent: the ids of the deliveries follow from the request. */
export async function queueReplay(part: DeliveryReplay & { workspaceId: string; createdAt: string }): Promise<void> {
  const { workspaceId, webhookId, eventIds } = part
  const webhook = await findWebhook(workspaceId, webhookId)
  if (!webhook) return
  const entries = await getEntries(
    workspaceId,
    eventIds.map((id) => ({ id })),
  )
  const deliveries = replayDeliveries(webhook, part, entries, env.timeScale())
  await parallelLimit(
    deliveries.map((delivery) => () => createDelivery(delivery)),
    concurrency,
  )
  await enqueueDeliveries(
    deliveries.map((delivery) => ({
      workspaceId,
      deliveryId: delivery.id,
      attempt: 0,
      delaySeconds: secondsUntilAttempt(delivery, now()),
      slow: isSlow(webhook),
    })),
  )
}
