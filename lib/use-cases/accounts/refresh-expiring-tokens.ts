/**
 * Keeps idle accounts connected: refreshes their tokens before they expire, verifies tokens that cannot be refreshed,
 * and marks the accounts that the platform refuses. Called by the worker `refresh-tokens`.
 */

import { nextRefreshAt, nextRetryAt } from '../../domain/accounts/token-refresh.ts'
import type { Account, AccountIdentity } from '../../domain/records/account.ts'
import type { Tokens } from '../../domain/records/tokens.ts'
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
  /** The current identity; null where the token is refused. */
  identify: (account: Account, token: string) => Promise<AccountIdentity | null>
}

const requestMsMax = 15_000

const defaultDeps: TokenRefreshDeps = {
  ...accessTokenDeps,
  identify: async ({ platform, settings }, token) =>
    connectorOf(platform, settings).identify(
      await createConnectorDeps(platform, platformClientWithDeadline(requestMsMax), settings),
      token,
      settings,
    ),
}

/** `key`: of a due row of tokens. A concurrent publication refreshes them itself, or waits for this refresh. */
export async function refreshExpiringTokens(key: Key, deps: TokenRefreshDeps = defaultDeps): Promise<void> {
  const at = deps.now()
  const pair = await findTokensByKey(key)
  if (!pair?.dueAt) return
  // The index is eventually consistent: another process was first.
  if (pair.dueAt > at) return postpone(key, pair.dueAt)
  // Before any request, so that a failure does not repeat it at once. A new pair gets a due time of its own.
  await postpone(key, nextRetryAt(pair, at))
  const account = await findAccountById(pair.workspaceId, pair.accountId)
  if (!account) return
  const tokens = await unsealTokens(account, pair)
  const access = await loadAccessToken(account, { isNew: false }, deps)
  if (tokens.refresh !== null || access.kind !== 'token') return
  if (await isTokenAccepted(account, tokens, deps))
    await rescheduleTokenCheck(pair, nextRefreshAt(tokens, account.id, at))
}

/** Verifies a token that cannot be refreshed. */
async function isTokenAccepted(account: Account, { access }: Tokens, deps: TokenRefreshDeps): Promise<boolean> {
  try {
    if (await deps.identify(account, access)) return true
    await markAccountExpired(account, access)
  } catch (error) {
    if (!isUnanswered(error)) throw error
    log.warn('account.not-looked-up', { ...accountIds(account), error })
  }
  return false
}
