/** Makes an endpoint with a secret of its own, which this answer alone tells; what is kept of it is sealed. */
import { refuseWebhookUrl } from '../../../lib/actions/webhook-address.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { newWebhookView } from '../../../lib/api/webhook-views.ts'
import { seal } from '../../../lib/aws/sealing.ts'
import { mintId } from '../../../lib/domain/id.ts'
import { createWebhook, secretContext } from '../../../lib/domain/webhook.ts'
import { mintSecret } from '../../../lib/domain/webhook-signature.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(routes.createWebhook, async ({ body, workspaceId, now, commit }) => {
  refuseWebhookUrl(body.url)
  const workspace = await getWorkspace(workspaceId)
  const [id, secret] = [mintId('whk', now), mintSecret()]
  const sealedSecret = await seal(secret, secretContext({ workspaceId, id }))
  const decision = createWebhook(workspace, body, { id, sealedSecret }, now)
  return commit(decision, newWebhookView(decision.webhook, secret))
})
