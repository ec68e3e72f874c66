/** A page of endpoints. A workspace has few, so all are read. */

import * as routes from '../../../lib/contract/routes/webhooks.ts'
import { webhookView } from '../../../lib/contract/views/webhooks.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { listWebhooks } from '../../../lib/store/webhooks.ts'

export const handler = endpoint(routes.listWebhooks, async ({ query: { limit, offset }, workspaceId }) => {
  const webhooks = await listWebhooks(workspaceId)
  const shown = webhooks.slice(offset, offset + limit)
  return { data: shown.map(webhookView), paging: { limit, offset, total: webhooks.length } }
})
