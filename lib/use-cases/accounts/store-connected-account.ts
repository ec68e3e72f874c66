/** Stores a connected account and its tokens in one transaction. Called at the end of every kind of connection. */
import { now } from '../../clock.ts'
import { accountFromConnection, connectAccount } from '../../domain/accounts/account-lifecycle.ts'
import { authorizationEndsAt } from '../../domain/accounts/token-refresh.ts'
import { mintId } from '../../domain/core/mint-id.ts'
import type { PlatformId } from '../../domain/core/platform.ts'
import type { Account } from '../../domain/records/account.ts'
import type { ConnectedAccount } from '../../platforms/connector.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import { getProfile } from '../../store/profiles.ts'
import { findTokens } from '../../store/tokens.ts'
import { sealTokens } from './sealed-tokens.ts'

/** Replaces the account of the profile on this platform; the id stays where it is the same external account. */
export function storeConnectedAccount(
  workspaceId: string,
  profileId: string,
  platform: PlatformId,
  connected: ConnectedAccount,
): Promise<Account> {
  const endsAt = authorizationEndsAt(connected.tokens)
  return retryOnConflict(async () => {
    const at = now()
    const { profile, accounts } = await getProfile(workspaceId, profileId)
    const before = accounts.find((account) => account.platform === platform)
    const account = accountFromConnection(profile, platform, before, { ...connected, endsAt }, mintId('acc', at), at)
    const pairBefore = before && (await findTokens(before))
    const isSame = pairBefore?.accountId === account.id
    const pair = await sealTokens(account, connected.tokens, isSame ? pairBefore : undefined, at)
    await commit(connectAccount(account, pair, { account: before, tokens: pairBefore }))
    return account
  })
}
