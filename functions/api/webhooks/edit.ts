/** Changes address, events or whether an endpoint is enabled; disabling it drops what is queued for it. */
import { refuseWebhookUrl } from '../../../lib/actions/webhook-address.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { webhookView } from '../../../lib/api/webhook-views.ts'
import { editWebhook } from '../../../lib/domain/webhook.ts'
import { getWebhook } from '../../../lib/store/webhooks.ts'

export const handler = endpoint(routes.editWebhook, async ({ params, body, workspaceId, now, commit }) => {
  const webhook = await getWebhook(workspaceId, params.id)
  if (body.url !== undefined) refuseWebhookUrl(body.url)
  const decision = editWebhook(webhook, body, now)
  return commit(decision, webhookView(decision.webhook))
})
