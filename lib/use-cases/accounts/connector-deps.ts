/**
 * Creates the dependencies of a connector: the OAuth client of this deployment and an HTTP client. Called by the use
 * cases that connect accounts, refresh tokens or look up identities.
 */
import { oauthClientOf } from '../../aws/oauth-clients.ts'
import { now } from '../../clock.ts'
import type { PlatformId } from '../../domain/core/platform.ts'
import type { AccountSettings, ConnectDeps } from '../../platforms/connector.ts'
import type { PlatformHttp } from '../../platforms/publisher.ts'
import { isViaZernio } from '../../platforms/zernio/settings.ts'
import { platformClient } from './platform-client.ts'

/** @throws Refusal where the deployment has no OAuth client at the platform. */
export const createConnectorDeps = async (
  platform: PlatformId,
  http: PlatformHttp = platformClient(),
  settings: AccountSettings = {},
): Promise<ConnectDeps> => ({
  // Zernio needs a key only.
  client: isViaZernio(settings) ? { id: '', secret: '' } : await oauthClientOf(platform),
  http,
  now: now(),
})
