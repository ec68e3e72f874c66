/** What a connector works with: what the platform knows this deployment as, and the way to it. */
import { clientOf } from '../../aws/oauth-clients.ts'
import { now } from '../../clock.ts'
import type { PlatformId } from '../../domain/core/platform.ts'
import type { ConnectionPlace, Settings } from '../../platforms/connector.ts'
import type { PlatformHttp } from '../../platforms/publisher.ts'
import { isViaZernio } from '../../platforms/zernio/publish.ts'
import { theWayToPlatforms } from './platform-client.ts'

/** @throws Refusal where the deployment is not registered with the platform. */
export const connectionPlace = async (
  platform: PlatformId,
  http: PlatformHttp = theWayToPlatforms(),
  settings: Settings = {},
): Promise<ConnectionPlace> => ({
  // Zernio is asked with a key alone.
  client: isViaZernio(settings) ? { id: '', secret: '' } : await clientOf(platform),
  http,
  now: now(),
})
