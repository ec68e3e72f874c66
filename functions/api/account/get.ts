/** Tells plan, credits and limits from the one workspace record. */
import { tellAccount } from '../../../lib/api/account.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import { getAccount } from '../../../lib/api/routes.ts'

export const handler = endpoint(getAccount, tellAccount)
