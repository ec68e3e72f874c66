/** What a connector works with: what the platform knows this deployment as, and the way to it. */
import { oauthClientOf } from '../../aws/oauth-clients.ts'
import { now } from '../../clock.ts'
import type { PlatformId } from '../../domain/core/platform.ts'
import type { AccountSettings, ConnectDeps } from '../../platforms/connector.ts'
import type { PlatformHttp } from '../../platforms/publisher.ts'
import { isViaZernio } from '../../platforms/zernio/settings.ts'
import { platformClient } from './platform-client.ts'

/** @throws Refusal where the deployment is not registered with the platform. */
export const createConnectorDeps = async (
  platform: PlatformId,
  http: PlatformHttp = platformClient(),
  settings: AccountSettings = {},
): Promise<ConnectDeps> => ({
  // Zernio is asked with a key alone.
  client: isViaZernio(settings) ? { id: '', secret: '' } : await oauthClientOf(platform),
  http,
  now: now(),
})
