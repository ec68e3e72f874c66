/** One profile with its accounts; on request their identities are refreshed from the platforms first. */

import * as routes from '../../../lib/contract/routes/profiles.ts'
import { profileView } from '../../../lib/contract/views/profiles.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { getProfile } from '../../../lib/store/profiles.ts'
import { refreshProfile } from '../../../lib/use-cases/accounts/refresh-profile.ts'

export const handler = endpoint(routes.getProfile, async ({ params, query, workspaceId, now }) =>
  profileView(await (query.refresh ? refreshProfile : getProfile)(workspaceId, params.id), now),
)
