/**
 * Looks after accounts that nobody posts to: renews their tokens before they end, asks the platform after those that have nothing to renew with,
 * and marks the accounts of which it says no.
 */

import type { Tokens } from '../../domain/accounts/profiles.ts'
import { nextLookAt, nextTryAt } from '../../domain/accounts/tokens.ts'
import type { Account, AccountIdentity } from '../../domain/records/account.ts'
import { log } from '../../log.ts'
import { isSilence } from '../../platforms/failures.ts'
import { connectorFor } from '../../platforms/index.ts'
import type { Key } from '../../store/core/keys.ts'
import { postpone } from '../../store/due-index.ts'
import { findAccountById } from '../../store/profiles.ts'
import { findTokensByKey, lookAtTokensAgain } from '../../store/tokens.ts'
import { accessToken, namesOf, noteExpired, type RenewalDoors, renewalDoors } from './access-token.ts'
import { connectionPlace } from './connector-deps.ts'
import { hurriedWay } from './platform-client.ts'
import { openTokens } from './sealed-tokens.ts'

export interface LookingDoors extends RenewalDoors {
  /** Who the account is now; null where the token is refused. */
  identify: (account: Account, token: string) => Promise<AccountIdentity | null>
}

const requestMsMax = 15_000

const lookingDoors: LookingDoors = {
  ...renewalDoors,
  identify: async ({ platform, settings }, token) =>
    connectorFor(platform, settings).identify(
      await connectionPlace(platform, hurriedWay(requestMsMax), settings),
      token,
      settings,
    ),
}

/** Tokens that are due, by the key that the due index gave. Whoever posts at the same time renews them, or waits for this. */
export async function renewInTime(key: Key, doors: LookingDoors = lookingDoors): Promise<void> {
  const at = doors.now()
  const pair = await findTokensByKey(key)
  if (!pair?.dueAt) return
  // The index lags behind: somebody was faster.
  if (pair.dueAt > at) return postpone(key, pair.dueAt)
  // Before anything is asked: whatever becomes of this, the platform is not asked again and again. A new pair is due in its own time.
  await postpone(key, nextTryAt(pair, at))
  const account = await findAccountById(pair.workspaceId, pair.accountId)
  if (!account) return
  const tokens = await openTokens(account, pair)
  const access = await accessToken(account, { isNew: false }, doors)
  if (tokens.refresh !== null || access.kind !== 'token') return
  if (await isTaken(account, tokens, doors)) await lookAtTokensAgain(pair, nextLookAt(tokens, account.id, at))
}

/** Whether the platform takes the token of an account that has nothing to renew with. */
async function isTaken(account: Account, { access }: Tokens, doors: LookingDoors): Promise<boolean> {
  try {
    if (await doors.identify(account, access)) return true
    await noteExpired(account, access)
  } catch (error) {
    if (!isSilence(error)) throw error
    log.warn('account.not-looked-up', { ...namesOf(account), error })
  }
  return false
}
