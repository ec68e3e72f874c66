/** The answer of `GET /`: from the workspace record alone. */

import type { getAccount } from '../contract/routes.ts'
import { accountView } from '../contract/views/index.ts'
import { getWorkspace } from '../store/workspaces.ts'
import type { Request } from './endpoint.ts'

export const tellAccount = async ({ workspaceId, now }: Request<typeof getAccount>) =>
  accountView(await getWorkspace(workspaceId), now)
