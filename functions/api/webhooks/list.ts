/** A page of the endpoints. A workspace has few, so all are read. */
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { webhookView } from '../../../lib/api/webhook-views.ts'
import { listWebhooks } from '../../../lib/store/webhooks.ts'

export const handler = endpoint(routes.listWebhooks, async ({ query: { limit, offset }, workspaceId }) => {
  const webhooks = await listWebhooks(workspaceId)
  const shown = webhooks.slice(offset, offset + limit)
  return { data: shown.map(webhookView), paging: { limit, offset, total: webhooks.length } }
})
