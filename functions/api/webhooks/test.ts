/** Sends one signed test payload while the request waits, and returns the outcome. */

import * as routes from '../../../lib/contract/routes/webhooks.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getWebhook } from '../../../lib/store/webhooks.ts'
import { refuseManyTests } from '../../../lib/use-cases/webhooks/receiver-limits.ts'
import { testWebhook } from '../../../lib/use-cases/webhooks/test-webhook.ts'

export const handler = endpoint(routes.testWebhook, async ({ params, workspaceId, now }) => {
  const webhook = await getWebhook(workspaceId, params.id)
  await refuseManyTests(workspaceId, now)
  return testWebhook(webhook, now)
})
