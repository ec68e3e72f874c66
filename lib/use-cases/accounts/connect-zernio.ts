/**
 * Connects an account via Zernio: with the operator's key, to an account that is already connected there. Called by the
 * admin script.
 */
import type { PlatformId } from '../../domain/core/platform.ts'
import type { Account } from '../../domain/records/account.ts'
import { zernioConnectorOf } from '../../platforms/connectors.ts'
import { getProfile } from '../../store/profiles.ts'
import { translatePlatformErrors } from './connect-account.ts'
import { platformClientWithDeadline } from './platform-client.ts'
import { storeConnectedAccount } from './store-connected-account.ts'

const requestMsMax = 6_000

/** `zernioAccountId`: as Zernio's `GET /v1/accounts` returns it. */
export async function connectViaZernio(
  workspaceId: string,
  profileId: string,
  platform: PlatformId,
  { key, zernioAccountId }: { key: string; zernioAccountId: string },
): Promise<Account> {
  await getProfile(workspaceId, profileId)
  const connect = () =>
    zernioConnectorOf(platform).connect(platformClientWithDeadline(requestMsMax), key, zernioAccountId)
  return storeConnectedAccount(
    workspaceId,
    profileId,
    platform,
    await translatePlatformErrors(platform, connect, 'Zernio'),
  )
}
