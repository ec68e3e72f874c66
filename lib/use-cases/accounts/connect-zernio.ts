/** Connects an account by way of Zernio: with a key of whoever runs the deployment, to an account that is connected there already. */

import type { PlatformId } from '../../domain/core/platform.ts'
import type { Account } from '../../domain/records/account.ts'
import { zernioConnectorOf } from '../../platforms/connectors.ts'
import { getProfile } from '../../store/profiles.ts'
import { translatePlatformErrors } from './connect-account.ts'
import { platformClientWithDeadline } from './platform-client.ts'
import { storeConnectedAccount } from './store-connected-account.ts'

const requestMsMax = 6_000

/** `zernioAccountId`: as `GET /v1/accounts` of Zernio shows it. */
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
