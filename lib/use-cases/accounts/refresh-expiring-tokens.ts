/**
 * Looks after accounts that nobody posts to: renews their tokens before they end, asks the platform after those that have nothing to renew with,
 * and marks the accounts of which it says no.
 */

import type { Tokens } from '../../domain/accounts/profiles.ts'
import { nextRefreshAt, nextRetryAt } from '../../domain/accounts/tokens.ts'
import type { Account, AccountIdentity } from '../../domain/records/account.ts'
import { log } from '../../log.ts'
import { connectorOf } from '../../platforms/connectors.ts'
import { isUnanswered } from '../../platforms/failures.ts'
import type { Key } from '../../store/core/keys.ts'
import { postpone } from '../../store/due-index.ts'
import { findAccountById } from '../../store/profiles.ts'
import { findTokensByKey, rescheduleTokenCheck } from '../../store/tokens.ts'
import {
  type AccessTokenDeps,
  accessTokenDeps,
  accountIds,
  loadAccessToken,
  markAccountExpired,
} from './access-token.ts'
import { createConnectorDeps } from './connector-deps.ts'
import { platformClientWithDeadline } from './platform-client.ts'
import { unsealTokens } from './sealed-tokens.ts'

export interface TokenRefreshDeps extends AccessTokenDeps {
  /** Who the account is now; null where the token is refused. */
  identify: (account: Account, token: string) => Promise<AccountIdentity | null>
}

const requestMsMax = 15_000

const lookingDoors: TokenRefreshDeps = {
  ...accessTokenDeps,
  identify: async ({ platform, settings }, token) =>
    connectorOf(platform, settings).identify(
      await createConnectorDeps(platform, platformClientWithDeadline(requestMsMax), settings),
      token,
      settings,
    ),
}

/** Tokens that are due, by the key that the due index gave. Whoever posts at the same time renews them, or waits for this. */
export async function refreshExpiringTokens(key: Key, doors: TokenRefreshDeps = lookingDoors): Promise<void> {
  const at = doors.now()
  const pair = await findTokensByKey(key)
  if (!pair?.dueAt) return
  // The index lags behind: somebody was faster.
  if (pair.dueAt > at) return postpone(key, pair.dueAt)
  // Before anything is asked: whatever becomes of this, the platform is not asked again and again. A new pair is due in its own time.
  await postpone(key, nextRetryAt(pair, at))
  const account = await findAccountById(pair.workspaceId, pair.accountId)
  if (!account) return
  const tokens = await unsealTokens(account, pair)
  const access = await loadAccessToken(account, { isNew: false }, doors)
  if (tokens.refresh !== null || access.kind !== 'token') return
  if (await isTokenAccepted(account, tokens, doors))
    await rescheduleTokenCheck(pair, nextRefreshAt(tokens, account.id, at))
}

/** Whether the platform takes the token of an account that has nothing to renew with. */
async function isTokenAccepted(account: Account, { access }: Tokens, doors: TokenRefreshDeps): Promise<boolean> {
  try {
    if (await doors.identify(account, access)) return true
    await markAccountExpired(account, access)
  } catch (error) {
    if (!isUnanswered(error)) throw error
    log.warn('account.not-looked-up', { ...accountIds(account), error })
  }
  return false
}
