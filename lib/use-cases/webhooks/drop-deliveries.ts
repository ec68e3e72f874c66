/**
 * Drops the pending deliveries of an endpoint that was disabled or deleted, so that the log shows it immediately.
 * Called by the outbox dispatcher.
 */
import { parallelLimit } from '../../async.ts'
import { now } from '../../clock.ts'
import type { DeliveryDrop } from '../../domain/core/outbox.ts'
import { dropDelivery, reasonToDrop } from '../../domain/webhooks/delivery-attempts.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import type { Key } from '../../store/core/keys.ts'
import { deleteOutboxRow } from '../../store/core/outbox.ts'
import { findDeliveryByKey, listPendingDeliveries } from '../../store/deliveries.ts'
import { findWebhook } from '../../store/webhooks.ts'

/** Few: many endpoints may be disabled at once, and requests to the API use the same table. */
const concurrency = 5
/** The most per call, so that other outbox rows are not delayed. The sweeper continues with the rest. */
const droppedMax = 500

/** A delivery that the index does not show yet is dropped by its own worker. */
export async function dropDeliveries(
  key: Key,
  { workspaceId, webhookId, epoch }: DeliveryDrop & { workspaceId: string },
) {
  const webhook = await findWebhook(workspaceId, webhookId)
  const drop = (key: Key) =>
    retryOnConflict(async () => {
      const delivery = await findDeliveryByKey(key)
      if (delivery?.status !== 'pending' || delivery.epoch >= epoch) return
      // Its current worker reads the endpoint again after the request.
      if (delivery.leaseUntil && delivery.leaseUntil > now()) return
      const reason = reasonToDrop(delivery, webhook)
      if (reason) await commit(dropDelivery(delivery, reason, now()))
    })
  const pending = await listPendingDeliveries(workspaceId, webhookId, now())
  await parallelLimit(
    pending.slice(0, droppedMax).map((pendingKey) => () => drop(pendingKey)),
    concurrency,
  )
  if (pending.length <= droppedMax) await deleteOutboxRow(key)
}
