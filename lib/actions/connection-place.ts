/** What a connector works with: what the platform knows this deployment as, and the way to it. */
import { clientOf } from '../aws/platform-clients.ts'
import { now } from '../clock.ts'
import type { ConnectionPlace } from '../connections/index.ts'
import type { PlatformId } from '../domain/platform.ts'
import type { PlatformHttp } from '../publishers/index.ts'
import { theWayToPlatforms } from './way-to-platforms.ts'

/** @throws Refusal where the deployment is not registered with the platform. */
export const connectionPlace = async (
  platform: PlatformId,
  http: PlatformHttp = theWayToPlatforms(),
): Promise<ConnectionPlace> => ({ client: await clientOf(platform), http, now: now() })
