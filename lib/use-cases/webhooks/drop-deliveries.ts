/** Ends what is queued for an endpoint that was disabled or deleted, so that the log says so at once. */
import { now } from '../../clock.ts'
import type { DeliveryDrop } from '../../domain/core/outbox.ts'
import { dropDelivery, reasonToDrop } from '../../domain/webhooks/delivery.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import type { Key } from '../../store/core/keys.ts'
import { deleteOutboxRow } from '../../store/core/outbox.ts'
import { findDeliveryByKey, listPendingDeliveries } from '../../store/deliveries.ts'
import { findWebhook } from '../../store/webhooks.ts'

const atOnce = 25
/** No more in one go: others wait behind this. The sweeper goes on with the rest. */
const endedMax = 500

/** What the index does not show yet is dropped by the worker that is woken for it. */
export async function dropDeliveries(
  key: Key,
  { workspaceId, webhookId, epoch }: DeliveryDrop & { workspaceId: string },
) {
  const webhook = await findWebhook(workspaceId, webhookId)
  const end = (key: Key) =>
    retryOnConflict(async () => {
      const delivery = await findDeliveryByKey(key)
      if (delivery?.status !== 'pending' || delivery.epoch >= epoch) return
      // A worker that is posting it will see what became of the endpoint.
      if (delivery.leaseUntil && delivery.leaseUntil > now()) return
      const reason = reasonToDrop(delivery, webhook)
      if (reason) await commit(dropDelivery(delivery, reason, now()))
    })
  const pending = await listPendingDeliveries(workspaceId, webhookId, now())
  for (let from = 0; from < Math.min(pending.length, endedMax); from += atOnce) {
    await Promise.all(pending.slice(from, from + atOnce).map(end))
  }
  if (pending.length <= endedMax) await deleteOutboxRow(key)
}
