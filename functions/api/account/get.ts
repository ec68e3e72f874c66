/** Tells plan, credits and limits from the one workspace record. */
import { endpoint } from '../../../lib/api/endpoint.ts'
import { getAccount } from '../../../lib/api/routes.ts'
import { accountView } from '../../../lib/api/views.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = endpoint(getAccount, async ({ workspaceId, now }) =>
  accountView(await getWorkspace(workspaceId), now),
)
