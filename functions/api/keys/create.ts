/** Creates a key, which only this response contains: a hash of it is stored, and the response for a repeat is encrypted. */

import { seal, unseal } from '../../../lib/aws/sealing.ts'
import * as routes from '../../../lib/contract/routes/keys.ts'
import { newApiKeyView } from '../../../lib/contract/views/keys.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { hashApiKey, mintApiKey } from '../../../lib/domain/workspaces/api-key.ts'
import { decideNewApiKey, newKeySealingContext } from '../../../lib/domain/workspaces/api-key-lifecycle.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getActingKey } from '../../../lib/store/api-keys.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(
  routes.createKey,
  async ({ body: { name, scope }, workspaceId, key, now, commit }) => {
    const [workspace, acting] = await Promise.all([getWorkspace(workspaceId), getActingKey(key)])
    const secret = mintApiKey()
    const created = {
      id: mintId('key', now),
      workspaceId,
      name,
      scope,
      hash: hashApiKey(secret),
      lastFour: secret.slice(-4),
      createdAt: now,
      revokedAt: null,
    }
    return commit(decideNewApiKey(workspace, created, acting), newApiKeyView(created, secret, acting))
  },
  {
    replayCipher: {
      encrypt: (body, workspaceId) => seal(body, newKeySealingContext(workspaceId)),
      decrypt: (stored, workspaceId) => unseal(stored, newKeySealingContext(workspaceId)),
    },
  },
)
