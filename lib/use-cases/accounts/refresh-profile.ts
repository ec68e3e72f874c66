/** Asks the platforms who the accounts of a profile are now, all at once and for a bounded time. */
import { now } from '../../clock.ts'
import { refreshAccountIdentity } from '../../domain/accounts/accounts.ts'
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
import { type AccessTokenDeps, accessTokenDeps, loadAccessToken, markAccountExpired } from './access-token.ts'
import { createConnectorDeps } from './connector-deps.ts'
import { platformClient } from './platform-client.ts'

/** In all: API Gateway cuts at 30 s. */
const refreshMsMax = 20_000
/** A renewal that is cut may cost the connection: with less time than this left none is begun. */
const renewalMsMin = 10_000

export interface RefreshProfileDeps extends Omit<AccessTokenDeps, 'refresh'> {
  connector: (platform: PlatformId, settings: AccountSettings) => Connector
  http: PlatformHttp
}

const lookUpDoors = (): RefreshProfileDeps => ({ ...accessTokenDeps, connector: connectorOf, http: platformClient() })

/** The profile as it is then. An account whose platform does not answer stays as it was; one whose token is refused is expired. */
export async function refreshProfile(
  workspaceId: string,
  profileId: string,
  doors: RefreshProfileDeps = lookUpDoors(),
): Promise<ProfileWithAccounts> {
  const until = Date.parse(doors.now()) + refreshMsMax
  const { accounts } = await getProfile(workspaceId, profileId)
  const connected = accounts.filter(({ health }) => health === 'connected')
  await Promise.all(connected.map((account) => lookUpIsolated(account, withDeadline(until, doors))))
  return getProfile(workspaceId, profileId)
}

/** Nothing is asked, and nothing waited for, beyond the time: all that is begun ends before the answer. */
function withDeadline(until: number, doors: RefreshProfileDeps): RefreshProfileDeps & AccessTokenDeps {
  const left = () => until - Date.parse(doors.now())
  const boundedHttp: PlatformHttp = async (request) => {
    if (left() <= 0) throw new NotSent('There is no time left to ask.')
    return doors.http({ ...request, deadlineMs: Math.min(left(), request.deadlineMs ?? refreshMsMax) })
  }
  return {
    ...doors,
    http: boundedHttp,
    waitMsMax: () => Math.min(left(), doors.waitMsMax()),
    refresh: async (account, tokens) => {
      const { platform, settings } = account
      const place = await createConnectorDeps(platform, boundedHttp, settings)
      if (left() < renewalMsMin) throw new NotSent('There is no time left to renew.')
      return doors.connector(platform, settings).refresh(place, tokens, settings)
    },
  }
}

/** The trouble of one account is not that of the others: what they have begun has to end before the answer. */
async function lookUpIsolated(account: Account, doors: RefreshProfileDeps & AccessTokenDeps): Promise<void> {
  try {
    await lookUp(account, doors)
  } catch (error) {
    const isNoFault = isUnanswered(error) || error instanceof Refusal
    const { id: accountId, platform } = account
    log[isNoFault ? 'warn' : 'error']('account.not-looked-up', { accountId, platform, error: error as Error })
  }
}

/** A token that is refused is renewed once; where the new one is refused, too, the account is expired. */
async function lookUp(account: Account, doors: RefreshProfileDeps & AccessTokenDeps): Promise<void> {
  let refused: string | undefined
  for (const isNew of [false, true]) {
    const access = await loadAccessToken(account, { isNew }, doors)
    if (access.kind !== 'token') return
    const identity = await identify(account, access.token, doors)
    if (identity) return storeIdentity(account, identity)
    refused = access.token
  }
  await markAccountExpired(account, refused)
}

const identify = async ({ platform, settings }: Account, token: string, doors: RefreshProfileDeps) =>
  doors
    .connector(platform, settings)
    .identify(await createConnectorDeps(platform, doors.http, settings), token, settings)

function storeIdentity(account: Account, identity: AccountIdentity): Promise<void> {
  return retryOnConflict(async () => {
    const current = await findAccount(account.workspaceId, account.profileId, account.platform)
    const decision = current?.id === account.id ? refreshAccountIdentity(current, identity, now()) : undefined
    if (decision) await commit(decision)
  })
}
