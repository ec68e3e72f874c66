/** The handler of `GET /`, which two functions share. */

import type { getAccount } from '../contract/routes/workspace.ts'
import { accountView } from '../contract/views/index.ts'
import { getWorkspace } from '../store/workspaces.ts'
import type { EndpointRequest } from './endpoint.ts'

export const handleGetAccount = async ({ workspaceId, now }: EndpointRequest<typeof getAccount>) =>
  accountView(await getWorkspace(workspaceId), now)
