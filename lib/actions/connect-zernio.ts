/** Connects an account by way of Zernio: with a key of whoever runs the deployment, to an account that is connected there already. */
import { zernioConnectorOf } from '../connections/connectors.ts'
import type { Connected } from '../connections/index.ts'
import type { PlatformId } from '../domain/platform.ts'
import type { Account } from '../domain/profile.ts'
import { Refusal } from '../domain/refusal.ts'
import { log } from '../log.ts'
import { NoAnswer, NotSent } from '../publishers/failures.ts'
import { getProfile } from '../store/profiles.ts'
import { keepConnection } from './keep-connection.ts'
import { hurriedWay } from './way-to-platforms.ts'

const requestMsMax = 6_000

/** `zernioAccountId`: as `GET /v1/accounts` of Zernio shows it. */
export async function connectByZernio(
  workspaceId: string,
  profileId: string,
  platform: PlatformId,
  { key, zernioAccountId }: { key: string; zernioAccountId: string },
): Promise<Account> {
  await getProfile(workspaceId, profileId)
  return keepConnection(workspaceId, profileId, platform, await connected(platform, key, zernioAccountId))
}

async function connected(platform: PlatformId, key: string, zernioAccountId: string): Promise<Connected> {
  try {
    return await zernioConnectorOf(platform).connect(hurriedWay(requestMsMax), key, zernioAccountId)
  } catch (error) {
    if (!(error instanceof NotSent || error instanceof NoAnswer)) throw error
    log.warn('account.not-connected', { platform, error })
    throw new Refusal('unavailable', 'Zernio does not answer at the moment.')
  }
}
