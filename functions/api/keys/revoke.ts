/** Revokes a key at once: each request reads its key. */

import * as routes from '../../../lib/contract/routes/keys.ts'
import { apiKeyView } from '../../../lib/contract/views/keys.ts'
import { decideRevocation } from '../../../lib/domain/workspaces/api-key-lifecycle.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getActingKey, getApiKey } from '../../../lib/store/api-keys.ts'
import { findKeyUses } from '../../../lib/store/key-uses.ts'

export const handler = endpoint(routes.revokeKey, async ({ params, workspaceId, key, now, commit }) => {
  const [target, acting] = await Promise.all([getApiKey(workspaceId, params.id), getActingKey(key)])
  const decision = decideRevocation(target, now, acting)
  const uses = await findKeyUses([target])
  const reply = apiKeyView(decision?.key ?? target, { acting, lastUsedAt: uses.get(target.id) })
  return decision ? commit(decision, reply) : reply
})
