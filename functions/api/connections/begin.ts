/** Begins to connect an account: tells where its user consents. */
import { beginConnection } from '../../../lib/actions/connect.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'

export const handler = endpoint(routes.beginConnection, ({ params, body, workspaceId, baseUrl }) =>
  beginConnection(workspaceId, params.id, body.platform, baseUrl),
)
