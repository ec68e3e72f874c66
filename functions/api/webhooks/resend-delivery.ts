/** Queues the payload of a delivery again, as a new delivery to the current URL of its endpoint. */

import * as routes from '../../../lib/contract/routes/webhooks.ts'
import { deliveryView } from '../../../lib/contract/views/webhooks.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { requeueDelivery } from '../../../lib/domain/webhooks/delivery-attempts.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getDelivery } from '../../../lib/store/deliveries.ts'
import { getWebhook } from '../../../lib/store/webhooks.ts'
import { refuseManyResends } from '../../../lib/use-cases/webhooks/receiver-limits.ts'

export const handler = endpoint(routes.resendDelivery, async ({ params, workspaceId, now, commit }) => {
  const delivery = await getDelivery(workspaceId, params.id, now)
  const webhook = await getWebhook(workspaceId, delivery.webhookId)
  await refuseManyResends(delivery, now)
  const decision = requeueDelivery(delivery, webhook, mintId('dlv', now), now)
  return commit(decision, deliveryView(decision.delivery))
})
