/** A page of the keys of a workspace, and when each was last used. */

import * as routes from '../../../lib/contract/routes/keys.ts'
import { apiKeyView } from '../../../lib/contract/views/keys.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { listApiKeyPage } from '../../../lib/store/api-keys.ts'
import { findKeyUses } from '../../../lib/store/key-uses.ts'

export const handler = endpoint(routes.listKeys, async ({ query: { limit, offset }, workspaceId, key: acting }) => {
  const { keys, total } = await listApiKeyPage(workspaceId, { limit, offset })
  const uses = await findKeyUses(keys)
  const data = keys.map((key) => apiKeyView(key, { acting, lastUsedAt: uses.get(key.id) }))
  return { data, paging: { limit, offset, total } }
})
