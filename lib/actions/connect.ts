/** Connects accounts: a user is sent to the platform with a state that names the connection once, and comes back with it and a code. */
import { seal, unseal } from '../aws/sealing.ts'
import { now } from '../clock.ts'
import { connectorOf } from '../connections/connectors.ts'
import type { AppPassword } from '../connections/index.ts'
import {
  claimConnection,
  connectionMinutes,
  consentContext,
  hashState,
  mintSecretText,
  type PendingConnection,
} from '../domain/connection.ts'
import { type PlatformId, platformName } from '../domain/platform.ts'
import type { Account } from '../domain/profile.ts'
import { Refusal } from '../domain/refusal.ts'
import { secondsAfter } from '../domain/time.ts'
import { AddressRefused } from '../egress/failures.ts'
import { log } from '../log.ts'
import { NoAnswer, NotSent } from '../publishers/failures.ts'
import { putConnection, takeConnection } from '../store/connections.ts'
import { getProfile } from '../store/profiles.ts'
import { connectionPlace } from './connection-place.ts'
import { keepConnection } from './keep-connection.ts'
import { hurriedWay } from './way-to-platforms.ts'

export const callbackPath = (platform: PlatformId) => `/connections/${platform}/callback`

/** Where to send the user. `baseUrl` is that of the API, without a slash at the end: the platform sends the user back there. */
export async function beginConnection(
  workspaceId: string,
  profileId: string,
  platform: PlatformId,
  baseUrl: string,
): Promise<{ url: string; expiresAt: string }> {
  await getProfile(workspaceId, profileId)
  const [state, verifier, redirectUri] = [mintSecretText(), mintSecretText(), baseUrl + callbackPath(platform)]
  const { client } = await connectionPlace(platform)
  const url = await consentingOf(platform).consentUrl(client, { state, verifier, redirectUri })
  const [hash, expiresAt] = [hashState(state), secondsAfter(now(), connectionMinutes * 60)]
  const sealedVerifier = await seal(verifier, consentContext(hash))
  await putConnection(hash, { workspaceId, profileId, platform, sealedVerifier, redirectUri, expiresAt })
  return { url, expiresAt }
}

/** The state is used up, whatever becomes of the code. */
export async function finishConnection(platform: PlatformId, state: string, code: string): Promise<Account> {
  const { workspaceId, profileId, sealedVerifier, redirectUri } = await claim(platform, state)
  const verifier = await unseal(sealedVerifier, consentContext(hashState(state)))
  const consent = { state, verifier, redirectUri }
  const place = await hurriedPlace(platform)
  const connected = await answered(platform, () => consentingOf(platform).exchange(place, consent, code))
  return keepConnection(workspaceId, profileId, platform, connected)
}

/** The user said no: the connection that was begun is none any more. */
export async function dropConnection(platform: PlatformId, state: string): Promise<void> {
  await claim(platform, state)
}

const claim = async (platform: PlatformId, state: string): Promise<PendingConnection> =>
  claimConnection(await takeConnection(hashState(state)), platform, now())

/** For a platform whose users make a password for us alone: it is used now and kept nowhere. */
export async function connectWithPassword(
  workspaceId: string,
  profileId: string,
  password: AppPassword,
): Promise<Account> {
  await getProfile(workspaceId, profileId)
  const connector = connectorOf('bluesky')
  if (!('signIn' in connector)) throw new Error('Bluesky is connected by an app password.')
  const place = await hurriedPlace('bluesky')
  const connected = await answered('bluesky', () => connector.signIn(place, password))
  return keepConnection(workspaceId, profileId, 'bluesky', connected)
}

/** A browser waits for the answer, 30 seconds at most, while a platform is asked up to four things. */
const requestMsMax = 6_000

const hurriedPlace = (platform: PlatformId) => connectionPlace(platform, hurriedWay(requestMsMax))

/** Whether the platform acted or not: an account whose tokens nobody has is not connected. */
async function answered<Gain>(platform: PlatformId, ask: () => Promise<Gain>): Promise<Gain> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof NotSent || error instanceof NoAnswer)) throw error
    log.warn('account.not-connected', { platform, error })
    if (error.cause instanceof AddressRefused) throw new Refusal('warning-invalid-input', error.message)
    throw new Refusal('unavailable', `${platformName(platform)} does not answer at the moment.`)
  }
}

function consentingOf(platform: PlatformId) {
  const connector = connectorOf(platform)
  if ('consentUrl' in connector) return connector
  const way = 'its user makes an app password, and whoever operates this deployment connects the account with it'
  throw new Refusal('warning-invalid-input', `${platformName(platform)} is connected otherwise: ${way}.`)
}
