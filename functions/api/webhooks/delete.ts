/** Deletes an endpoint. Its pending deliveries are dropped afterwards and stay in the log. */

import * as routes from '../../../lib/contract/routes/webhooks.ts'
import { removeWebhook } from '../../../lib/domain/webhooks/webhook-lifecycle.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { listPendingDeliveries } from '../../../lib/store/deliveries.ts'
import { getWebhook } from '../../../lib/store/webhooks.ts'

export const handler = endpoint(routes.deleteWebhook, async ({ params, workspaceId, now, commit }) => {
  const pending = await listPendingDeliveries(workspaceId, params.id, now)
  // Read last: a busy endpoint changes while the log is read.
  const webhook = await getWebhook(workspaceId, params.id)
  return commit(removeWebhook(webhook, now), { ok: true as const, droppedDeliveries: pending.length })
})
