/** Returns plan, credits and limits from the workspace record. */

import { getAccount } from '../../../lib/contract/routes/workspace.ts'
import { handleGetAccount } from '../../../lib/http/account-handler.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'

export const handler = endpoint(getAccount, handleGetAccount)
