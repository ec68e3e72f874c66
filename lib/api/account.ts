/** The answer of `GET /`: from the workspace record alone. */
import { getWorkspace } from '../store/workspaces.ts'
import type { Request } from './endpoint.ts'
import type { getAccount } from './routes.ts'
import { accountView } from './views.ts'

export const tellAccount = async ({ workspaceId, now }: Request<typeof getAccount>) =>
  accountView(await getWorkspace(workspaceId), now)
