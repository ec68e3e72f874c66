/** Accounts as preconditions, connected as a user would have left them; no platform is called. */
import { randomUUID } from 'node:crypto'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { Account } from '../../../lib/domain/records/account.ts'
import type { Profile } from '../../../lib/domain/records/profile.ts'
import type { Tokens } from '../../../lib/domain/records/tokens.ts'
import { addProfile } from '../../../lib/use-cases/accounts/add-profile.ts'
import { storeConnectedAccount } from '../../../lib/use-cases/accounts/store-connected-account.ts'
import type { World } from '../world.ts'

export const hourSeconds = 3_600

/** A pair whose access token ends so many seconds from now. */
export const tokensFor = (seconds: number | null, fields: Partial<Tokens> = {}): Tokens => ({
  access: `access-${randomUUID()}`,
  accessEndsAt: seconds === null ? null : new Date(Date.now() + seconds * 1_000).toISOString(),
  refresh: `refresh-${randomUUID()}`,
  refreshEndsAt: null,
  ...fields,
})

export const connectionWith = (tokens: Tokens, externalId = '7001') => ({
  identity: { externalId, username: 'quiet', displayName: 'Quiet', pictureUrl: null },
  settings: {},
  tokens,
})

export const givenProfile = ({ workspaceId }: Pick<World, 'workspaceId'>): Promise<Profile> =>
  addProfile(workspaceId, { name: 'Test' })

/** An account of a profile of its own. */
export async function givenAccount(
  world: Pick<World, 'workspaceId'>,
  tokens: Tokens,
  platform: PlatformId = 'twitter',
): Promise<Account> {
  const { id, workspaceId } = await givenProfile(world)
  return storeConnectedAccount(workspaceId, id, platform, connectionWith(tokens))
}
