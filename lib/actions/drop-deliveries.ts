/** Ends what is queued for an endpoint that was disabled or deleted, so that the log says so at once. */
import { now } from '../clock.ts'
import type { Drop } from '../domain/decision.ts'
import { drop, reasonToDrop } from '../domain/delivery.ts'
import { commit } from '../store/commit.ts'
import { findDeliveryByKey, listPending } from '../store/deliveries.ts'
import type { Key } from '../store/keys.ts'
import { racing } from '../store/races.ts'
import { findWebhook } from '../store/webhooks.ts'

const atOnce = 25

/** What the index does not show yet is dropped by the worker that is woken for it. */
export async function dropDeliveries(workspaceId: string, { webhookId, epoch }: Drop): Promise<void> {
  const webhook = await findWebhook(workspaceId, webhookId)
  const end = (key: Key) =>
    racing(async () => {
      const delivery = await findDeliveryByKey(key)
      if (delivery?.status !== 'pending' || delivery.epoch >= epoch) return
      // A worker that is posting it will see what became of the endpoint.
      if (delivery.leaseUntil && delivery.leaseUntil > now()) return
      const reason = reasonToDrop(delivery, webhook)
      if (reason) await commit(drop(delivery, reason, now()))
    })
  const pending = await listPending(workspaceId, webhookId, now())
  for (let from = 0; from < pending.length; from += atOnce) {
    await Promise.all(pending.slice(from, from + atOnce).map(end))
  }
}
