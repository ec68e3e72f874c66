/**
 * The access token of an account, renewed where it ends soon or was refused: by one asker, while the others wait. Many platforms take a
 * refresh token once and end the whole connection when it comes a second time.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { now as clock } from '../../clock.ts'
import { expireAccount, hasExpiryChanged } from '../../domain/accounts/accounts.ts'
import type { Tokens } from '../../domain/accounts/profiles.ts'
import {
  authorizationEndsAt,
  isAccessTokenValid,
  isLeased,
  isRefreshDue,
  refreshCooldownSeconds,
  refreshLeaseSeconds,
} from '../../domain/accounts/tokens.ts'
import { secondsAfter } from '../../domain/core/time.ts'
import type { Account } from '../../domain/records/account.ts'
import type { SealedTokens } from '../../domain/records/tokens.ts'
import { log } from '../../log.ts'
import { emitMetric } from '../../metrics.ts'
import type { RefreshResult } from '../../platforms/connector.ts'
import { directConnector } from '../../platforms/connectors.ts'
import { isUnanswered } from '../../platforms/failures.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import { findAccount, updateAccountExpiry } from '../../store/profiles.ts'
import { findTokens, leaseTokens, replaceTokens, setLeaseEnd } from '../../store/tokens.ts'
import { createConnectorDeps } from './connector-deps.ts'
import { platformClientWithDeadline } from './platform-client.ts'
import { sealTokens, unsealTokens } from './sealed-tokens.ts'

export type AccessResult =
  | { kind: 'token'; token: string }
  /** The user has to connect the account anew; it is marked so. */
  | { kind: 'expired' }
  /** The platform, or whoever renews the token, did not answer in time. */
  | { kind: 'later'; waitSeconds: number }

/** What renewing needs of the world outside. */
export interface AccessTokenDeps {
  refresh: (account: Account, tokens: Tokens) => Promise<RefreshResult>
  now: () => string
  wait: (ms: number) => Promise<unknown>
  /** How long an asker waits for somebody else's renewal. */
  waitMsMax: () => number
}

/** With the twelve seconds that the client's secret may take at worst (`lib/aws/secrets.ts`), a renewal is over before its lease. */
const requestMsMax = 15_000

export const accessTokenDeps: AccessTokenDeps = {
  refresh: async ({ platform, settings }, tokens) =>
    directConnector(platform).refresh(
      await createConnectorDeps(platform, platformClientWithDeadline(requestMsMax)),
      tokens,
      settings,
    ),
  now: clock,
  wait: delay,
  waitMsMax: () => 8_000,
}

const pollMs = { first: 50, growth: 1.5, last: 1_000 }

/**
 * A token that holds as far as one knows. `isNew` is for whoever was refused with the one that it was given before: the token is renewed,
 * unless it is less than a minute old, for then it is another one already. Where that one is refused, too, see `noteExpired`.
 */
export async function loadAccessToken(
  account: Account,
  wants: { isNew: boolean },
  deps: AccessTokenDeps = accessTokenDeps,
): Promise<AccessResult> {
  if (account.health === 'expired') return { kind: 'expired' }
  const until = Date.parse(deps.now()) + deps.waitMsMax()
  for (let pause: number = pollMs.first; ; pause = Math.min(pause * pollMs.growth, pollMs.last)) {
    const at = deps.now()
    const pair = await findTokens(account)
    // Whoever removed them marked the account, or put another one in its place.
    if (!pair) return { kind: 'expired' }
    if (!isRefreshDue(pair, wants, at)) return tokenOf(await unsealTokens(account, pair))
    const access = isLeased(pair, at) ? undefined : await refreshUnderLease(account, pair, wants, deps)
    if (access) return access
    if (Date.parse(deps.now()) >= until) return currentTokenOrRetry(account, pair, wants, deps)
    await deps.wait(pause)
  }
}

/**
 * Marks an account whose newest token the platform refused; not one that was connected anew since it was read, nor one of which `refused` was a
 * token, and is none any more: many platforms end a token when its successor is given out. Without `refused` whatever its token is.
 */
export async function markAccountExpired(account: Account, refused?: string): Promise<void> {
  const pair = refused === undefined ? undefined : await findTokens(account)
  if (pair && (await unsealTokens(account, pair)).access !== refused) return
  await expire(account, pair)
}

const tokenOf = ({ access }: Tokens): AccessResult => ({ kind: 'token', token: access })

/** Renews a pair, or undefined where another pair, or another asker who renews, is there by now. */
async function refreshUnderLease(
  account: Account,
  pair: SealedTokens,
  wants: { isNew: boolean },
  deps: AccessTokenDeps,
): Promise<AccessResult | undefined> {
  const at = deps.now()
  const tokens = await unsealTokens(account, pair)
  if (tokens.refresh === null) {
    if (!wants.isNew && isAccessTokenValid(pair, at)) return tokenOf(tokens)
    return (await expire(account, pair)) ? { kind: 'expired' } : undefined
  }
  const leased = await leaseTokens(pair, secondsAfter(at, refreshLeaseSeconds), at)
  if (!leased) return undefined
  const renewal = await requestRefresh(account, tokens, leased, deps)
  if (renewal instanceof Error) {
    const access = await currentTokenOrRetry(account, pair, wants, deps)
    // A deployment that its platform refuses has no patience to ask for; but a token that holds, holds.
    if (access.kind === 'token' || isUnanswered(renewal)) return access
    throw renewal
  }
  // Where the pair is another one by now, somebody else renewed it, and was not refused.
  if (renewal.kind === 'refused') return (await expire(account, leased)) ? { kind: 'expired' } : undefined
  const kept = await storeTokens(account, leased, renewal.tokens, deps)
  if (!kept) return undefined
  await updateExpiry(account, renewal.tokens)
  return tokenOf(renewal.tokens)
}

/** Whoever has stored a pair has done what matters: that the account tells an older end is mended by the next renewal. */
async function updateExpiry(account: Account, tokens: Tokens): Promise<void> {
  const endsAt = authorizationEndsAt(tokens)
  if (!hasExpiryChanged(account.endsAt, endsAt)) return
  await updateAccountExpiry(account, endsAt).catch((error) =>
    log.warn('account.end-not-told', { ...accountIds(account), error }),
  )
}

/** The platform's answer, or why there is none: then the next asker lets it rest. */
async function requestRefresh(
  account: Account,
  tokens: Tokens,
  leased: SealedTokens,
  deps: AccessTokenDeps,
): Promise<RefreshResult | Error> {
  try {
    return await deps.refresh(account, tokens)
  } catch (reason) {
    const error = reason as Error
    const isFault = !isUnanswered(error)
    log[isFault ? 'error' : 'warn']('tokens.not-renewed', { ...accountIds(account), error })
    if (isFault) emitMetric({ name: 'Faults', value: 1, by: { what: 'tokens' } })
    await setLeaseEnd(leased, secondsAfter(deps.now(), refreshCooldownSeconds))
    return error
  }
}

export const accountIds = ({ id: accountId, platform }: Account) => ({ accountId, platform })

const keepPausesMs = [100, 500, 2_000]
/** A platform that took its time may have left less of the lease than it takes to seal and store a pair. */
const keepingSeconds = 15

/**
 * Stores a pair. It is the only one there is, the old one having been used up: a store that is busy is asked again, and until then nobody is
 * let in who would show the old one once more.
 */
async function storeTokens(account: Account, leased: SealedTokens, tokens: Tokens, deps: AccessTokenDeps) {
  let held = leased
  if (!isLeased(held, secondsAfter(deps.now(), keepingSeconds))) held = await extendLease()
  for (const pause of keepPausesMs) {
    try {
      return await stored()
    } catch (error) {
      log.warn('tokens.not-kept', { ...accountIds(account), error: error as Error })
      held = await extendLease()
      await deps.wait(pause)
    }
  }
  return stored()

  async function extendLease() {
    return (await setLeaseEnd(held, secondsAfter(deps.now(), refreshLeaseSeconds)).catch(() => undefined)) ?? held
  }

  async function stored() {
    return replaceTokens(leased, await sealTokens(account, tokens, leased, deps.now()))
  }
}

/** Without a renewal: the token that is there, as long as it holds and was not refused. */
async function currentTokenOrRetry(
  account: Account,
  pair: SealedTokens,
  { isNew }: { isNew: boolean },
  deps: AccessTokenDeps,
): Promise<AccessResult> {
  const at = deps.now()
  if (!isNew && isAccessTokenValid(pair, at)) return tokenOf(await unsealTokens(account, pair))
  const { leaseUntil } = (await findTokens(account)) ?? pair
  const leftSeconds = leaseUntil === null ? 1 : Math.ceil((Date.parse(leaseUntil) - Date.parse(at)) / 1000)
  return { kind: 'later', waitSeconds: Math.min(Math.max(leftSeconds, 1), refreshLeaseSeconds) }
}

/**
 * Marks the account as the one that has to be connected anew, and removes its tokens; with `refused` only as long as they are these. False
 * where they are not, or the account is another one by now.
 */
function expire(account: Account, refused?: SealedTokens): Promise<boolean> {
  return retryOnConflict(async () => {
    const [current, pair] = await Promise.all([
      findAccount(account.workspaceId, account.profileId, account.platform),
      findTokens(account),
    ])
    if (current?.id !== account.id || current.connectedAt !== account.connectedAt) return false
    if (refused && pair?.version !== refused.version) return false
    if (current.health === 'expired') return true
    await commit(expireAccount(current, pair, clock()))
    return true
  })
}
