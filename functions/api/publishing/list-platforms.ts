/** The list is static: the same for every workspace. */
import { endpoint } from '../../../lib/api/endpoint.ts'
import { listPlatforms } from '../../../lib/api/routes.ts'
import { platforms } from '../../../lib/domain/platform.ts'

export const handler = endpoint(listPlatforms, async () => [...platforms])
