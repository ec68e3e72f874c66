/** One endpoint, without its secret. */

import * as routes from '../../../lib/contract/routes/webhooks.ts'
import { webhookView } from '../../../lib/contract/views/webhooks.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getWebhook } from '../../../lib/store/webhooks.ts'

export const handler = endpoint(routes.getWebhook, async ({ params, workspaceId }) =>
  webhookView(await getWebhook(workspaceId, params.id)),
)
