/** Posts one signed test payload while the request waits, and tells how it was received. */
import { testWebhook } from '../../../lib/actions/test-webhook.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { getWebhook } from '../../../lib/store/webhooks.ts'

export const handler = endpoint(routes.testWebhook, async ({ params, workspaceId, now }) =>
  testWebhook(await getWebhook(workspaceId, params.id), now),
)
