/**
 * Connects accounts by OAuth consent: a single-use `state` identifies the pending connection on the callback. Also by
 * app password. Called by the connection routes and the admin script.
 */
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
import { getWorkspace } from '../../store/workspaces.ts'
import { createConnectorDeps } from './connector-deps.ts'
import { platformClientWithDeadline } from './platform-client.ts'
import { storeConnectedAccount } from './store-connected-account.ts'

const callbackPath = (platform: PlatformId) => `/connections/${platform}/callback`

/** The consent URL for the user. `baseUrl`: of the API, without a trailing slash; the platform redirects there. */
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

/** What the user has to confirm, or to choose from, under a new `state`. */
export interface ConnectionChoice {
  state: string
  accounts: AccountIdentity[]
  workspaceName: string
  profileName: string
}

/** Consumes the state, whether or not the code is accepted. */
export async function finishConnection(platform: PlatformId, state: string, code: string): Promise<ConnectionChoice> {
  const pending = requirePendingConsent(await claim(platform, state))
  const { workspaceId, profileId, sealedVerifier, redirectUri } = pending
  const [workspace, { profile }] = await Promise.all([getWorkspace(workspaceId), getProfile(workspaceId, profileId)])
  const verifier = await unseal(sealedVerifier, consentSealingContext(hashState(state)))
  const consent = { state, verifier, redirectUri }
  const deps = await connectorDepsWithDeadline(platform)
  const accounts = await translatePlatformErrors(platform, () =>
    consentConnectorOf(platform).exchange(deps, consent, code),
  )
  if (accounts.length === 0) throw new Error(`${platformName(platform)} returned no account.`)
  const choice = await beginChoice(pending, accounts)
  return { ...choice, workspaceName: workspace.name, profileName: profile.name }
}

/**
 * A code can be exchanged once, so the accounts are stored, sealed, until the user confirms one. The others are then
 * discarded. Also where there is only one: anyone can send a link, and the page of the platform names the app alone.
 */
async function beginChoice(
  { workspaceId, profileId, platform }: PendingConsent,
  accounts: readonly ConnectedAccount[],
) {
  const state = mintRandomToken()
  const hash = hashState(state)
  const sealedAccounts = await seal(JSON.stringify(accounts), consentSealingContext(hash))
  const expiresAt = secondsAfter(now(), connectionTtlMinutes * 60)
  await putPendingConnection(hash, { workspaceId, profileId, platform, sealedAccounts, expiresAt })
  return { state, accounts: accounts.map(({ identity }) => identity) }
}

/** `externalId`: the account that the user chose. Consumes the state in any case. */
export async function finishAccountChoice(platform: PlatformId, state: string, externalId: string): Promise<Account> {
  const { workspaceId, profileId, sealedAccounts } = requirePendingChoice(await claim(platform, state))
  const accounts = JSON.parse(
    await unseal(sealedAccounts, consentSealingContext(hashState(state))),
  ) as ConnectedAccount[]
  const chosen = accounts.find(({ identity }) => identity.externalId === externalId)
  if (!chosen) throw notFound('connection')
  return storeConnectedAccount(workspaceId, profileId, platform, chosen)
}

/** The user denied consent. Consumes the state. */
export async function cancelConnection(platform: PlatformId, state: string): Promise<void> {
  await claim(platform, state)
}

const claim = async (platform: PlatformId, state: string): Promise<PendingConnection> =>
  requirePendingConnection(await consumePendingConnection(hashState(state)), platform, now())

/** For platforms with app passwords: the password is used once and not stored. */
export async function connectWithPassword(
  workspaceId: string,
  profileId: string,
  password: AppPassword,
): Promise<Account> {
  await getProfile(workspaceId, profileId)
  const connector = directConnector('bluesky')
  if (!('signIn' in connector)) throw new Error('The Bluesky connector takes no app password.')
  const deps = await connectorDepsWithDeadline('bluesky')
  const connected = await translatePlatformErrors('bluesky', () => connector.signIn(deps, password))
  return storeConnectedAccount(workspaceId, profileId, 'bluesky', connected)
}

/** A browser waits at most 30 s, and a connection takes up to four requests. */
const requestMsMax = 6_000

const connectorDepsWithDeadline = (platform: PlatformId) =>
  createConnectorDeps(platform, platformClientWithDeadline(requestMsMax))

/**
 * Maps unanswered requests to a Refusal. Whether the platform acted does not matter: without tokens the account is not
 * connected.
 */
export async function translatePlatformErrors<Result>(
  platform: PlatformId,
  request: () => Promise<Result>,
  name = platformName(platform),
): Promise<Result> {
  try {
    return await request()
  } catch (error) {
    if (!isUnanswered(error)) throw error
    log.warn('account.not-connected', { platform, error })
    if (error.cause instanceof AddressRefused) throw new Refusal('warning-invalid-input', error.message)
    throw new Refusal('unavailable', `${name} does not respond at the moment. Try again later.`)
  }
}

function consentConnectorOf(platform: PlatformId) {
  const connector = directConnector(platform)
  if ('consentUrl' in connector) return connector
  throw new Refusal(
    'warning-invalid-input',
    `${platformName(platform)} has no consent page: its user creates an app password, with which the operator connects the account.`,
  )
}
