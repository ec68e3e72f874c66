/** Connects an account by way of Zernio: with a key of whoever runs the deployment, to an account that is connected there already. */

import type { PlatformId } from '../../domain/core/platform.ts'
import type { Account } from '../../domain/records/account.ts'
import { zernioConnectorOf } from '../../platforms/index.ts'
import { getProfile } from '../../store/profiles.ts'
import { answered } from './connect-account.ts'
import { hurriedWay } from './platform-client.ts'
import { keepConnection } from './store-connected-account.ts'

const requestMsMax = 6_000

/** `zernioAccountId`: as `GET /v1/accounts` of Zernio shows it. */
export async function connectByZernio(
  workspaceId: string,
  profileId: string,
  platform: PlatformId,
  { key, zernioAccountId }: { key: string; zernioAccountId: string },
): Promise<Account> {
  await getProfile(workspaceId, profileId)
  const connect = () => zernioConnectorOf(platform).connect(hurriedWay(requestMsMax), key, zernioAccountId)
  return keepConnection(workspaceId, profileId, platform, await answered(platform, connect, 'Zernio'))
}
