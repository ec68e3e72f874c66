/** Starts to connect an account: returns the consent URL. */

import * as routes from '../../../lib/contract/routes/profiles.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { beginConnection } from '../../../lib/use-cases/accounts/connect-account.ts'

export const handler = endpoint(routes.beginConnection, ({ params, body, workspaceId, baseUrl }) =>
  beginConnection(workspaceId, params.id, body.platform, baseUrl),
)
