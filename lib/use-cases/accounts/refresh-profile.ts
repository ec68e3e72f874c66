/**
 * Refreshes the identities of a profile's accounts from their platforms, concurrently and within a time limit. Called
 * by the route that gets a profile.
 */
import { now } from '../../clock.ts'
import { refreshAccountIdentity } from '../../domain/accounts/account-lifecycle.ts'
import type { PlatformId } from '../../domain/core/platform.ts'
import { Refusal } from '../../domain/core/refusal.ts'
import type { Account, AccountIdentity } from '../../domain/records/account.ts'
import { log } from '../../log.ts'
import type { AccountSettings, Connector } from '../../platforms/connector.ts'
import { connectorOf } from '../../platforms/connectors.ts'
import { isUnanswered, NotSent } from '../../platforms/failures.ts'
import type { PlatformHttp } from '../../platforms/publisher.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import { findAccount, getProfile, type ProfileWithAccounts } from '../../store/profiles.ts'
import { takeToken } from '../../store/token-buckets.ts'
import { type AccessTokenDeps, accessTokenDeps, loadAccessToken, markAccountExpired } from './access-token.ts'
import { createConnectorDeps } from './connector-deps.ts'
import { platformClient } from './platform-client.ts'

/** In total: API Gateway times out after 30 s. */
const refreshMsMax = 20_000
/** An interrupted token refresh may lose the connection: none is started with less time remaining. */
const tokenRefreshMsMin = 10_000

export interface RefreshProfileDeps extends Omit<AccessTokenDeps, 'refresh'> {
  connector: (platform: PlatformId, settings: AccountSettings) => Connector
  http: PlatformHttp
  /** Whether the account was not looked up within the last minute. */
  mayLookUp: (account: Account) => Promise<boolean>
}

/** One look-up of an account in a minute: platforms limit the calls of all clients together. */
const lookUpBucket = { capacity: 1, refillMs: 60_000 }
export const mayLookUpAccount = async ({ workspaceId, id }: Account): Promise<boolean> =>
  (await takeToken({ workspaceId, name: `look-up#${id}` }, lookUpBucket, Date.parse(now()))) !== undefined

const defaultDeps = (): RefreshProfileDeps => ({
  ...accessTokenDeps,
  connector: connectorOf,
  http: platformClient(),
  mayLookUp: mayLookUpAccount,
})

/**
 * Returns the updated profile. An account that was looked up within the last minute is unchanged, and one whose platform does not respond is unchanged; one whose token is refused is
 * marked as expired.
 */
export async function refreshProfile(
  workspaceId: string,
  profileId: string,
  deps: RefreshProfileDeps = defaultDeps(),
): Promise<ProfileWithAccounts> {
  const until = Date.parse(deps.now()) + refreshMsMax
  const { accounts } = await getProfile(workspaceId, profileId)
  const connected = accounts.filter(({ health }) => health === 'connected')
  await Promise.all(
    connected.map(async (account) => {
      if (await deps.mayLookUp(account)) await lookUpIsolated(account, withDeadline(until, deps))
    }),
  )
  return getProfile(workspaceId, profileId)
}

/** Bounds all requests and waits, so that everything that was started ends before the response. */
function withDeadline(until: number, deps: RefreshProfileDeps): RefreshProfileDeps & AccessTokenDeps {
  const remainingMs = () => until - Date.parse(deps.now())
  const boundedHttp: PlatformHttp = async (request) => {
    if (remainingMs() <= 0) throw new NotSent('No time is left for this request.')
    return deps.http({ ...request, deadlineMs: Math.min(remainingMs(), request.deadlineMs ?? refreshMsMax) })
  }
  return {
    ...deps,
    http: boundedHttp,
    waitMsMax: () => Math.min(remainingMs(), deps.waitMsMax()),
    refresh: async (account, tokens) => {
      const { platform, settings } = account
      const connectorDeps = await createConnectorDeps(platform, boundedHttp, settings)
      if (remainingMs() < tokenRefreshMsMin) throw new NotSent('No time is left to refresh the token.')
      return deps.connector(platform, settings).refresh(connectorDeps, tokens, settings)
    },
  }
}

/** Logs the failure of one account, so that the look-ups of the others end before the response. */
async function lookUpIsolated(account: Account, deps: RefreshProfileDeps & AccessTokenDeps): Promise<void> {
  try {
    await lookUp(account, deps)
  } catch (error) {
    const isExpected = isUnanswered(error) || error instanceof Refusal
    const { id: accountId, platform } = account
    log[isExpected ? 'warn' : 'error']('account.not-looked-up', { accountId, platform, error: error as Error })
  }
}

/** Refreshes a refused token once; where the new one is refused as well, the account is marked as expired. */
async function lookUp(account: Account, deps: RefreshProfileDeps & AccessTokenDeps): Promise<void> {
  let refused: string | undefined
  for (const isNew of [false, true]) {
    const access = await loadAccessToken(account, { isNew }, deps)
    if (access.kind !== 'token') return
    const identity = await identify(account, access.token, deps)
    if (identity) return storeIdentity(account, identity)
    refused = access.token
  }
  await markAccountExpired(account, refused)
}

const identify = async ({ platform, settings }: Account, token: string, deps: RefreshProfileDeps) =>
  deps.connector(platform, settings).identify(await createConnectorDeps(platform, deps.http, settings), token, settings)

function storeIdentity(account: Account, identity: AccountIdentity): Promise<void> {
  return retryOnConflict(async () => {
    const current = await findAccount(account.workspaceId, account.profileId, account.platform)
    const decision = current?.id === account.id ? refreshAccountIdentity(current, identity, now()) : undefined
    if (decision) await commit(decision)
  })
}
