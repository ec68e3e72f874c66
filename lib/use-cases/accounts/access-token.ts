/**
 * Loads the access token of an account for a request to its platform, and refreshes it when it expires soon or was
 * refused: by one process under a lease, while the others wait, because many platforms revoke the connection when a
 * refresh token is used twice. Called by postings, profile look-ups and the token refresh worker.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { poll, retry, type Sleep } from '../../async.ts'
import { now as clock } from '../../clock.ts'
import { expireAccount, hasExpiryChanged } from '../../domain/accounts/account-lifecycle.ts'
import {
  authorizationEndsAt,
  isAccessTokenValid,
  isLeased,
  isRefreshDue,
  refreshCooldownSeconds,
  refreshLeaseSeconds,
} from '../../domain/accounts/token-refresh.ts'
import { secondsAfter } from '../../domain/core/time.ts'
import type { Account } from '../../domain/records/account.ts'
import type { SealedTokens, Tokens } from '../../domain/records/tokens.ts'
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
  /** The user has to reconnect the account; it is marked as expired. */
  | { kind: 'expired' }
  /** Neither the platform nor the process with the lease responded in time. */
  | { kind: 'later'; waitSeconds: number }

/** Injected by tests. */
export interface AccessTokenDeps {
  refresh: (account: Account, tokens: Tokens) => Promise<RefreshResult>
  now: () => string
  wait: Sleep
  /** How long to wait for a refresh by another process. */
  waitMsMax: () => number
  /** Default: the table and the key service. */
  storage?: TokenStorage
}

const tableStorage = {
  findTokens,
  leaseTokens,
  setLeaseEnd,
  replaceTokens,
  findAccount,
  updateAccountExpiry,
  commit,
  retryOnConflict,
  sealTokens,
  unsealTokens,
}

export type TokenStorage = typeof tableStorage

const storageOf = ({ storage }: Pick<AccessTokenDeps, 'storage'>): TokenStorage => storage ?? tableStorage

/** Together with up to 12 s for the client's secret (`lib/aws/secrets.ts`), a refresh ends before its lease. */
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

const pauseMs = { first: 50, growth: 1.5, last: 1_000 }

/**
 * A token that is valid as far as is known. `isNew`: the platform refused the previous token, so it is refreshed,
 * unless it is less than a minute old and therefore already another one. Where that one is refused as well, call
 * `markAccountExpired`.
 */
export async function loadAccessToken(
  account: Account,
  wants: { isNew: boolean },
  deps: AccessTokenDeps = accessTokenDeps,
): Promise<AccessResult> {
  if (account.health === 'expired') return { kind: 'expired' }
  const storage = storageOf(deps)
  const until = Date.parse(deps.now()) + deps.waitMsMax()
  const attempt = async (): Promise<{ access: AccessResult } | { pair: SealedTokens }> => {
    const at = deps.now()
    const pair = await storage.findTokens(account)
    // The tokens were removed: the account has expired or was replaced by another one.
    if (!pair) return { access: { kind: 'expired' } }
    if (!isRefreshDue(pair, wants, at)) return { access: tokenOf(await storage.unsealTokens(account, pair)) }
    const access = isLeased(pair, at) ? undefined : await refreshUnderLease(account, pair, wants, deps)
    return access ? { access } : { pair }
  }
  const now = () => Date.parse(deps.now())
  const last = await poll(attempt, (result) => 'access' in result, { pauseMs, until, now, sleep: deps.wait })
  return 'access' in last ? last.access : currentTokenOrRetry(account, last.pair, wants, deps)
}

/**
 * Marks an account as expired because the platform refused the token `refused` (default: any). No effect where the
 * account was reconnected or its token was refreshed in the meantime: many platforms revoke a token when they issue its
 * successor.
 */
export async function markAccountExpired(account: Account, refused?: string): Promise<void> {
  const pair = refused === undefined ? undefined : await findTokens(account)
  if (pair && (await unsealTokens(account, pair)).access !== refused) return
  await expire(account, pair, tableStorage)
}

const tokenOf = ({ access }: Tokens): AccessResult => ({ kind: 'token', token: access })

/** Refreshes a pair; undefined where it was replaced, or another process holds the lease. */
async function refreshUnderLease(
  account: Account,
  pair: SealedTokens,
  wants: { isNew: boolean },
  deps: AccessTokenDeps,
): Promise<AccessResult | undefined> {
  const storage = storageOf(deps)
  const at = deps.now()
  const tokens = await storage.unsealTokens(account, pair)
  if (tokens.refresh === null) {
    if (!wants.isNew && isAccessTokenValid(pair, at)) return tokenOf(tokens)
    return (await expire(account, pair, storage)) ? { kind: 'expired' } : undefined
  }
  const leased = await storage.leaseTokens(pair, secondsAfter(at, refreshLeaseSeconds), at)
  if (!leased) return undefined
  const refresh = await requestRefresh(account, tokens, leased, deps)
  if (refresh instanceof Error) {
    const access = await currentTokenOrRetry(account, pair, wants, deps)
    // A valid token is used even where the platform rejects this deployment, which waiting would not fix.
    if (access.kind === 'token' || isUnanswered(refresh)) return access
    throw refresh
  }
  // Undefined where the pair was replaced: another process refreshed it successfully.
  if (refresh.kind === 'refused') return (await expire(account, leased, storage)) ? { kind: 'expired' } : undefined
  const stored = await storeTokens(account, leased, refresh.tokens, deps)
  if (!stored) return undefined
  await updateExpiry(account, refresh.tokens, storage)
  return tokenOf(refresh.tokens)
}

/** Best effort: the tokens are stored, and the next refresh corrects an outdated expiry. */
async function updateExpiry(account: Account, tokens: Tokens, storage: TokenStorage): Promise<void> {
  const endsAt = authorizationEndsAt(tokens)
  if (!hasExpiryChanged(account.endsAt, endsAt)) return
  await storage
    .updateAccountExpiry(account, endsAt)
    .catch((error) => log.warn('account.expiry-not-stored', { ...accountIds(account), error }))
}

/** The platform's response, or the error; after an error no process retries before the cooldown. */
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
    await storageOf(deps).setLeaseEnd(leased, secondsAfter(deps.now(), refreshCooldownSeconds))
    return error
  }
}

export const accountIds = ({ id: accountId, platform }: Account) => ({ accountId, platform })

const storePausesMs = [100, 500, 2_000]
/** The longest time to seal and store a pair: a slow platform may have left less of the lease. */
const storingSeconds = 15

/**
 * Stores a refreshed pair, the only valid one: the old refresh token is used up. Retries while the lease is extended,
 * so that no other process uses the old token a second time.
 */
async function storeTokens(account: Account, leased: SealedTokens, tokens: Tokens, deps: AccessTokenDeps) {
  const storage = storageOf(deps)
  let held = leased
  const extendLease = async () => {
    const until = secondsAfter(deps.now(), refreshLeaseSeconds)
    held = (await storage.setLeaseEnd(held, until).catch(() => undefined)) ?? held
  }
  const store = async () => storage.replaceTokens(leased, await storage.sealTokens(account, tokens, leased, deps.now()))
  if (!isLeased(held, secondsAfter(deps.now(), storingSeconds))) await extendLease()
  return retry(store, {
    pausesMs: storePausesMs,
    sleep: deps.wait,
    beforeRetry: (error) => {
      log.warn('tokens.not-kept', { ...accountIds(account), error: error as Error })
      return extendLease()
    },
  })
}

/** The result without a refresh: the current token while it is valid and was not refused. */
async function currentTokenOrRetry(
  account: Account,
  pair: SealedTokens,
  { isNew }: { isNew: boolean },
  deps: AccessTokenDeps,
): Promise<AccessResult> {
  const storage = storageOf(deps)
  const at = deps.now()
  if (!isNew && isAccessTokenValid(pair, at)) return tokenOf(await storage.unsealTokens(account, pair))
  const { leaseUntil } = (await storage.findTokens(account)) ?? pair
  const remainingSeconds = leaseUntil === null ? 1 : Math.ceil((Date.parse(leaseUntil) - Date.parse(at)) / 1000)
  return { kind: 'later', waitSeconds: Math.min(Math.max(remainingSeconds, 1), refreshLeaseSeconds) }
}

/**
 * Marks the account as expired and deletes its tokens. False, and no effect, where the tokens are no longer `refused`,
 * or the account was reconnected.
 */
function expire(account: Account, refused: SealedTokens | undefined, storage: TokenStorage): Promise<boolean> {
  return storage.retryOnConflict(async () => {
    const [current, pair] = await Promise.all([
      storage.findAccount(account.workspaceId, account.profileId, account.platform),
      storage.findTokens(account),
    ])
    if (current?.id !== account.id || current.connectedAt !== account.connectedAt) return false
    if (refused && pair?.version !== refused.version) return false
    if (current.health === 'expired') return true
    await storage.commit(expireAccount(current, pair, clock()))
    return true
  })
}
