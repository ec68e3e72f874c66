/** Creates an endpoint with its own secret, which only this response contains; it is stored sealed. */

import { seal } from '../../../lib/aws/sealing.ts'
import * as routes from '../../../lib/contract/routes/webhooks.ts'
import { newWebhookView } from '../../../lib/contract/views/webhooks.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { mintWebhookSecret } from '../../../lib/domain/webhooks/signature.ts'
import { createWebhook, webhookSecretSealingContext } from '../../../lib/domain/webhooks/webhook-lifecycle.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { refuseWebhookUrl } from '../../../lib/use-cases/webhooks/webhook-url.ts'

export const handler = endpoint(routes.createWebhook, async ({ body, workspaceId, now, commit }) => {
  refuseWebhookUrl(body.url)
  const workspace = await getWorkspace(workspaceId)
  const [id, secret] = [mintId('whk', now), mintWebhookSecret()]
  const sealedSecret = await seal(secret, webhookSecretSealingContext({ workspaceId, id }))
  const decision = createWebhook(workspace, body, { id, sealedSecret }, now)
  return commit(decision, newWebhookView(decision.webhook, secret))
})
