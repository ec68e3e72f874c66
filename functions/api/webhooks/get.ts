/** Tells one endpoint, without its secret. */
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { webhookView } from '../../../lib/api/webhook-views.ts'
import { getWebhook } from '../../../lib/store/webhooks.ts'

export const handler = endpoint(routes.getWebhook, async ({ params, workspaceId }) =>
  webhookView(await getWebhook(workspaceId, params.id)),
)
