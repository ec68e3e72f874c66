/** The list is static: the same for every workspace. */

import { listPlatforms } from '../../../lib/contract/routes/workspace.ts'
import { platforms } from '../../../lib/domain/core/platform.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'

export const handler = endpoint(listPlatforms, async () => [...platforms])
