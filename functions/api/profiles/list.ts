/** A page of profiles with their accounts. A workspace has few, so all are read. */

import * as routes from '../../../lib/contract/routes/profiles.ts'
import { profileView } from '../../../lib/contract/views/profiles.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { listProfiles } from '../../../lib/store/profiles.ts'

export const handler = endpoint(routes.listProfiles, async ({ query: { limit, offset }, workspaceId, now }) => {
  const profiles = await listProfiles(workspaceId)
  const shown = profiles.slice(offset, offset + limit)
  return { data: shown.map((profile) => profileView(profile, now)), paging: { limit, offset, total: profiles.length } }
})
