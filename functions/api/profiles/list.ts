/** A page of the profiles, with their accounts. A workspace has few, so all are read. */
import { endpoint } from '../../../lib/api/endpoint.ts'
import { profileView } from '../../../lib/api/profile-views.ts'
import * as routes from '../../../lib/api/routes.ts'
import { listProfiles } from '../../../lib/store/profiles.ts'

export const handler = endpoint(routes.listProfiles, async ({ query: { limit, offset }, workspaceId, now }) => {
  const profiles = await listProfiles(workspaceId)
  const shown = profiles.slice(offset, offset + limit)
  return { data: shown.map((profile) => profileView(profile, now)), paging: { limit, offset, total: profiles.length } }
})
