/**
 * Connects Bluesky accounts with app passwords, which users create and can revoke (OAuth is the alternative:
 * https://docs.bsky.app/docs/advanced-guides/oauth-client). A password opens a session on the account's server; each
 * refresh rotates the refresh token.
 */
import * as v from 'valibot'
import type { Tokens } from '../../domain/records/tokens.ts'
import { connectionRefused } from '../connect-failures.ts'
import { parseUnlessUnauthorized, throwIfUnavailable } from '../connect-responses.ts'
import type {
  AccountSettings,
  AppPassword,
  ConnectDeps,
  ConnectedAccount,
  PasswordConnector,
  RefreshResult,
} from '../connector.ts'
import type { PlatformResponse } from '../publisher.ts'
import { bearerHeader, jsonPostRequest } from '../requests.ts'
import { isSuccess, parseResponse, tryParseResponse } from '../responses.ts'
import { xrpcError, xrpcErrorResponse } from './errors.ts'
import type { blueskyUrls } from './urls.ts'

const sessionResponse = v.object({
  did: v.string(),
  handle: v.string(),
  accessJwt: v.string(),
  refreshJwt: v.string(),
  didDoc: v.optional(v.unknown()),
})
const identityResponse = v.object({ did: v.string(), handle: v.string() })

/** The service entries of a DID document (https://atproto.com/specs/did#did-documents). */
const didDocument = v.object({
  service: v.array(v.object({ id: v.string(), serviceEndpoint: v.pipe(v.string(), v.url()) })),
})

export function blueskyConnector(urls: Pick<typeof blueskyUrls, 'pds'>): PasswordConnector {
  const xrpc = (server: string, method: string) => `${server}/xrpc/com.atproto.server.${method}`
  const pdsOf = (settings: AccountSettings) => settings.pds ?? urls.pds

  async function signIn(deps: ConnectDeps, { service, identifier, password }: AppPassword): Promise<ConnectedAccount> {
    const server = (service ?? urls.pds).replace(/(?<!\/)\/+$/, '')
    if (!URL.canParse(server)) throw connectionRefused('The server must be an address such as https://bsky.social.')
    const response = await deps.http(jsonPostRequest(xrpc(server, 'createSession'), {}, { identifier, password }))
    throwIfUnavailable(response)
    if (!isSuccess(response)) throw connectionRefused(`Bluesky rejected the sign-in: ${errorMessageIn(response)}`)
    const session = parseResponse(response, sessionResponse)
    return {
      identity: identityOf(session),
      tokens: tokensOf(session),
      // Behind bsky.social each account has its own server, the only one that can authorise uploads.
      settings: { pds: pdsInDidDocument(session.didDoc) ?? server },
    }
  }

  async function refresh(
    { http }: ConnectDeps,
    { refresh: refreshToken }: Tokens,
    settings: AccountSettings,
  ): Promise<RefreshResult> {
    if (!refreshToken) return { kind: 'refused' }
    const url = xrpc(pdsOf(settings), 'refreshSession')
    const response = await http({ method: 'POST', url, headers: bearerHeader(refreshToken) })
    throwIfUnavailable(response)
    if (isSuccess(response)) return { kind: 'renewed', tokens: tokensOf(parseResponse(response, sessionResponse)) }
    // An error page of a proxy says nothing about the token, and neither do all XRPC errors.
    const { error } = parseResponse(response, xrpcErrorResponse)
    if (sessionEndErrors.includes(error)) return { kind: 'refused' }
    throw new Error(`The server of a Bluesky account refuses to refresh a session: ${error}.`)
  }

  return {
    platform: 'bluesky',
    signIn,
    refresh,
    async identify({ http }, access, settings) {
      const url = xrpc(pdsOf(settings), 'getSession')
      const response = await http({ method: 'GET', url, headers: bearerHeader(access) })
      if (['ExpiredToken', 'InvalidToken'].includes(xrpcError(response)?.code ?? '')) return null
      const found = parseUnlessUnauthorized(response, identityResponse)
      return found && identityOf(found)
    },
  }
}

/**
 * Errors that end a session, of `com.atproto.server.refreshSession` and of the token check before it
 * (https://github.com/bluesky-social/atproto/tree/main/packages/pds). `InvalidRequest` means that the account is gone.
 */
const sessionEndErrors = [
  'ExpiredToken',
  'InvalidToken',
  'AuthMissing',
  'AuthenticationRequired',
  'AccountTakedown',
  'AccountDeactivated',
  'AccountNotFound',
  'InvalidRequest',
]

const errorMessageIn = (response: PlatformResponse) =>
  tryParseResponse(response, xrpcErrorResponse)?.message ?? `status ${response.status}.`

/** Display name and picture are not on the account's server, only in the network's app view. */
const identityOf = ({ did, handle }: v.InferOutput<typeof identityResponse>) => ({
  externalId: did,
  username: handle,
  displayName: handle,
  pictureUrl: null,
})

const tokensOf = ({ accessJwt, refreshJwt }: v.InferOutput<typeof sessionResponse>): Tokens => ({
  access: accessJwt,
  accessEndsAt: jwtExpiry(accessJwt),
  refresh: refreshJwt,
  refreshEndsAt: jwtExpiry(refreshJwt),
})

const claims = v.pipe(v.string(), v.parseJson(), v.object({ exp: v.number() }))

/** The expiry of a JWT (RFC 7519, section 4.1.4); null if it has none. */
function jwtExpiry(jwt: string): string | null {
  const payload = Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()
  const parsed = v.safeParse(claims, payload)
  return parsed.success ? new Date(parsed.output.exp * 1000).toISOString() : null
}

function pdsInDidDocument(document: unknown): string | undefined {
  const parsed = v.safeParse(didDocument, document)
  if (!parsed.success) return undefined
  const pds = parsed.output.service.find(({ id }) => id.endsWith('#atproto_pds'))
  return pds?.serviceEndpoint.replace(/(?<!\/)\/+$/, '')
}
