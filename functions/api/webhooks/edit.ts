/** Edits URL, events or status of an endpoint; disabling it drops its pending deliveries. */

import * as routes from '../../../lib/contract/routes/webhooks.ts'
import { webhookView } from '../../../lib/contract/views/webhooks.ts'
import { editWebhook } from '../../../lib/domain/webhooks/webhook-lifecycle.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getWebhook } from '../../../lib/store/webhooks.ts'
import { refuseWebhookUrl } from '../../../lib/use-cases/webhooks/webhook-url.ts'

export const handler = endpoint(routes.editWebhook, async ({ params, body, workspaceId, now, commit }) => {
  const webhook = await getWebhook(workspaceId, params.id)
  if (body.url !== undefined) refuseWebhookUrl(body.url)
  const decision = editWebhook(webhook, body, now)
  return commit(decision, webhookView(decision.webhook))
})
