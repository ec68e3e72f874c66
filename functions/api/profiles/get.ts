/** Tells one profile with its accounts; on request the platforms are asked first who these are now. */
import { refreshProfile } from '../../../lib/actions/refresh-profile.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import { profileView } from '../../../lib/api/profile-views.ts'
import * as routes from '../../../lib/api/routes.ts'
import { getProfile } from '../../../lib/store/profiles.ts'

export const handler = endpoint(routes.getProfile, async ({ params, query, workspaceId, now }) =>
  profileView(await (query.refresh ? refreshProfile : getProfile)(workspaceId, params.id), now),
)
