/**
 * Bluesky: the user makes an app password and can take it back (https://docs.bsky.app/docs/advanced-guides/oauth-client names the other
 * way). It buys a session at the server of the account; each renewal gives a new token for the next, and takes the old one.
 */
import * as v from 'valibot'
import type { Tokens } from '../../domain/accounts/profiles.ts'
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
import type { blueskyUrls } from './urls.ts'

const session = v.object({
  did: v.string(),
  handle: v.string(),
  accessJwt: v.string(),
  refreshJwt: v.string(),
  didDoc: v.optional(v.unknown()),
})
const me = v.object({ did: v.string(), handle: v.string() })
const failure = v.object({ error: v.string(), message: v.optional(v.string()) })

/** Of a DID document (https://atproto.com/specs/did#did-documents). */
const didDocument = v.object({
  service: v.array(v.object({ id: v.string(), serviceEndpoint: v.pipe(v.string(), v.url()) })),
})

export function blueskyConnector(urls: Pick<typeof blueskyUrls, 'pds'>): PasswordConnector {
  const at = (server: string, method: string) => `${server}/xrpc/com.atproto.server.${method}`
  const pdsOf = (settings: AccountSettings) => settings.pds ?? urls.pds

  async function signIn(deps: ConnectDeps, { service, identifier, password }: AppPassword): Promise<ConnectedAccount> {
    const asked = (service ?? urls.pds).replace(/\/+$/, '')
    if (!URL.canParse(asked)) throw connectionRefused('The server must be an address such as https://bsky.social.')
    const response = await deps.http(jsonPostRequest(at(asked, 'createSession'), {}, { identifier, password }))
    throwIfUnavailable(response)
    if (!isSuccess(response))
      throw connectionRefused(`Bluesky does not let this account in: ${errorMessageIn(response)}`)
    const opened = parseResponse(response, session)
    return {
      identity: identityOf(opened),
      tokens: tokensOf(opened),
      // Accounts of bsky.social have a server of their own behind it, which alone can give permissions for uploads.
      settings: { pds: pdsInDidDocument(opened.didDoc) ?? asked },
    }
  }

  async function renew({ http }: ConnectDeps, { refresh }: Tokens, settings: AccountSettings): Promise<RefreshResult> {
    if (!refresh) return { kind: 'refused' }
    const url = at(pdsOf(settings), 'refreshSession')
    const response = await http({ method: 'POST', url, headers: bearerHeader(refresh) })
    throwIfUnavailable(response)
    if (isSuccess(response)) return { kind: 'renewed', tokens: tokensOf(parseResponse(response, session)) }
    // A page of somebody between us and the server says nothing of the token, and not every refusal does.
    const { error } = parseResponse(response, failure)
    if (sessionEndErrors.includes(error)) return { kind: 'refused' }
    throw new Error(`The server of a Bluesky account refuses to renew a session: ${error}.`)
  }

  return {
    platform: 'bluesky',
    signIn,
    refresh: renew,
    async identify({ http }, access, settings) {
      const url = at(pdsOf(settings), 'getSession')
      const response = await http({ method: 'GET', url, headers: bearerHeader(access) })
      if (['ExpiredToken', 'InvalidToken'].includes(tryParseResponse(response, failure)?.error ?? '')) return null
      const found = parseUnlessUnauthorized(response, me)
      return found && identityOf(found)
    },
  }
}

/**
 * What ends a session, in the words of `com.atproto.server.refreshSession` and of what checks tokens before it
 * (https://github.com/bluesky-social/atproto/tree/main/packages/pds). `InvalidRequest` is said where the account is gone.
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
  tryParseResponse(response, failure)?.message ?? `it answers ${response.status}.`

/** What an account shows of itself is known to the network's app, not to its server. */
const identityOf = ({ did, handle }: v.InferOutput<typeof me>) => ({
  externalId: did,
  username: handle,
  displayName: handle,
  pictureUrl: null,
})

const tokensOf = ({ accessJwt, refreshJwt }: v.InferOutput<typeof session>): Tokens => ({
  access: accessJwt,
  accessEndsAt: jwtExpiry(accessJwt),
  refresh: refreshJwt,
  refreshEndsAt: jwtExpiry(refreshJwt),
})

const claims = v.pipe(v.string(), v.parseJson(), v.object({ exp: v.number() }))

/** What a token says of itself (RFC 7519, section 4.1.4), or null where it says nothing. */
function jwtExpiry(jwt: string): string | null {
  const payload = Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()
  const given = v.safeParse(claims, payload)
  return given.success ? new Date(given.output.exp * 1000).toISOString() : null
}

function pdsInDidDocument(document: unknown): string | undefined {
  const given = v.safeParse(didDocument, document)
  if (!given.success) return undefined
  const found = given.output.service.find(({ id }) => id.endsWith('#atproto_pds'))
  return found?.serviceEndpoint.replace(/\/+$/, '')
}
