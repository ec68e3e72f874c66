/** Connects accounts: a user is sent to the platform with a state that names the connection once, and comes back with it and a code. */
import { seal, unseal } from '../../aws/sealing.ts'
import { now } from '../../clock.ts'
import {
  connectionTtlMinutes,
  consentSealingContext,
  hashState,
  mintRandomToken,
  type PendingConnection,
  type PendingConsent,
  requirePendingChoice,
  requirePendingConnection,
  requirePendingConsent,
} from '../../domain/accounts/pending-connection.ts'
import { type PlatformId, platformName } from '../../domain/core/platform.ts'
import { notFound, Refusal } from '../../domain/core/refusal.ts'
import { secondsAfter } from '../../domain/core/time.ts'
import type { Account, AccountIdentity } from '../../domain/records/account.ts'
import { AddressRefused } from '../../egress/failures.ts'
import { log } from '../../log.ts'
import type { AppPassword, ConnectedAccount } from '../../platforms/connector.ts'
import { directConnector } from '../../platforms/connectors.ts'
import { isUnanswered } from '../../platforms/failures.ts'
import { consumePendingConnection, putPendingConnection } from '../../store/pending-connections.ts'
import { getProfile } from '../../store/profiles.ts'
import { createConnectorDeps } from './connector-deps.ts'
import { platformClientWithDeadline } from './platform-client.ts'
import { storeConnectedAccount } from './store-connected-account.ts'

export const callbackPath = (platform: PlatformId) => `/connections/${platform}/callback`

/** Where to send the user. `baseUrl` is that of the API, without a slash at the end: the platform sends the user back there. */
export async function beginConnection(
  workspaceId: string,
  profileId: string,
  platform: PlatformId,
  baseUrl: string,
): Promise<{ url: string; expiresAt: string }> {
  await getProfile(workspaceId, profileId)
  const [state, verifier, redirectUri] = [mintRandomToken(), mintRandomToken(), baseUrl + callbackPath(platform)]
  const { client } = await createConnectorDeps(platform)
  const url = await consentConnectorOf(platform).consentUrl(client, { state, verifier, redirectUri })
  const [hash, expiresAt] = [hashState(state), secondsAfter(now(), connectionTtlMinutes * 60)]
  const sealedVerifier = await seal(verifier, consentSealingContext(hash))
  await putPendingConnection(hash, { workspaceId, profileId, platform, sealedVerifier, redirectUri, expiresAt })
  return { url, expiresAt }
}

/** One account, or several of which the user has to choose one, under a state of its own. */
export type ConnectionResult = { account: Account } | { state: string; accounts: AccountIdentity[] }

/** The state is used up, whatever becomes of the code. */
export async function finishConnection(platform: PlatformId, state: string, code: string): Promise<ConnectionResult> {
  const pending = requirePendingConsent(await claim(platform, state))
  const { workspaceId, profileId, sealedVerifier, redirectUri } = pending
  const verifier = await unseal(sealedVerifier, consentSealingContext(hashState(state)))
  const consent = { state, verifier, redirectUri }
  const deps = await connectorDepsWithDeadline(platform)
  const [connected, ...others] = await translatePlatformErrors(platform, () =>
    consentConnectorOf(platform).exchange(deps, consent, code),
  )
  if (!connected) throw new Error(`${platformName(platform)} told of no account.`)
  if (others.length > 0) return beginChoice(pending, [connected, ...others])
  return { account: await storeConnectedAccount(workspaceId, profileId, platform, connected) }
}

/** A code is good once, so what it was exchanged for waits, sealed. Of what is not chosen nothing is kept. */
async function beginChoice({ workspaceId, profileId, platform }: PendingConsent, accounts: ConnectedAccount[]) {
  const state = mintRandomToken()
  const hash = hashState(state)
  const sealedAccounts = await seal(JSON.stringify(accounts), consentSealingContext(hash))
  const expiresAt = secondsAfter(now(), connectionTtlMinutes * 60)
  await putPendingConnection(hash, { workspaceId, profileId, platform, sealedAccounts, expiresAt })
  return { state, accounts: accounts.map(({ identity }) => identity) }
}

/** `externalId`: the account that the user chose. The state is used up, whoever it is. */
export async function finishAccountChoice(platform: PlatformId, state: string, externalId: string): Promise<Account> {
  const { workspaceId, profileId, sealedAccounts } = requirePendingChoice(await claim(platform, state))
  const accounts = JSON.parse(
    await unseal(sealedAccounts, consentSealingContext(hashState(state))),
  ) as ConnectedAccount[]
  const chosen = accounts.find(({ identity }) => identity.externalId === externalId)
  if (!chosen) throw notFound('connection')
  return storeConnectedAccount(workspaceId, profileId, platform, chosen)
}

/** The user said no: the connection that was begun is none any more. */
export async function cancelConnection(platform: PlatformId, state: string): Promise<void> {
  await claim(platform, state)
}

const claim = async (platform: PlatformId, state: string): Promise<PendingConnection> =>
  requirePendingConnection(await consumePendingConnection(hashState(state)), platform, now())

/** For a platform whose users make a password for us alone: it is used now and kept nowhere. */
export async function connectWithPassword(
  workspaceId: string,
  profileId: string,
  password: AppPassword,
): Promise<Account> {
  await getProfile(workspaceId, profileId)
  const connector = directConnector('bluesky')
  if (!('signIn' in connector)) throw new Error('Bluesky is connected by an app password.')
  const place = await connectorDepsWithDeadline('bluesky')
  const connected = await translatePlatformErrors('bluesky', () => connector.signIn(place, password))
  return storeConnectedAccount(workspaceId, profileId, 'bluesky', connected)
}

/** A browser waits for the answer, 30 seconds at most, while a platform is asked up to four things. */
const requestMsMax = 6_000

const connectorDepsWithDeadline = (platform: PlatformId) =>
  createConnectorDeps(platform, platformClientWithDeadline(requestMsMax))

/** Whether who is asked acted or not: an account whose tokens nobody has is not connected. */
export async function translatePlatformErrors<Gain>(
  platform: PlatformId,
  ask: () => Promise<Gain>,
  who = platformName(platform),
): Promise<Gain> {
  try {
    return await ask()
  } catch (error) {
    if (!isUnanswered(error)) throw error
    log.warn('account.not-connected', { platform, error })
    if (error.cause instanceof AddressRefused) throw new Refusal('warning-invalid-input', error.message)
    throw new Refusal('unavailable', `${who} does not answer at the moment.`)
  }
}

function consentConnectorOf(platform: PlatformId) {
  const connector = directConnector(platform)
  if ('consentUrl' in connector) return connector
  const way = 'its user makes an app password, and whoever operates this deployment connects the account with it'
  throw new Refusal('warning-invalid-input', `${platformName(platform)} is connected otherwise: ${way}.`)
}
