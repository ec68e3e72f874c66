/**
 * The OAuth 2.0 authorization code flow (RFC 6749, section 4.1), optionally with PKCE (RFC 7636). Differences of
 * platforms are data.
 */
import * as oauth from 'oauth4webapi'
import { type PlatformId, platformName } from '../../domain/core/platform.ts'
import type { AccountIdentity } from '../../domain/records/account.ts'
import type { Tokens } from '../../domain/records/tokens.ts'
import { authorizationCodeRefused, connectionRefused, GrantRefused, requireScopes } from '../connect-failures.ts'
import { expiresAfter } from '../connect-responses.ts'
import type {
  AccountSettings,
  ConnectDeps,
  ConnectedAccount,
  ConsentConnector,
  ConsentRequest,
  OAuthClient,
  RefreshResult,
} from '../connector.ts'
import { NoResponse } from '../failures.ts'
import { type ClientAuth, clientAuthentication, tokenRequestOptions } from './token-endpoint.ts'

interface OAuthPlatform {
  platform: PlatformId
  authorizeUrl: string
  tokenUrl: string
  /** The scopes that publishing needs. */
  scopes: readonly string[]
  separator?: ','
  hasPkce?: true
  clientAuth: ClientAuth
  /** Parameters beyond the standard, of the consent URL and of the token request. */
  authorizeFields?: Readonly<Record<string, string>>
  tokenFields?: Readonly<Record<string, string>>
  headers?: Record<string, string>
  identify(deps: ConnectDeps, access: string): Promise<AccountIdentity | null>
  /** Initial settings, read when the account is connected. */
  settings?(deps: ConnectDeps, access: string, identity: AccountIdentity): Promise<AccountSettings>
}

export const oauthConnector = (platform: OAuthPlatform): ConsentConnector => ({
  platform: platform.platform,
  consentUrl: (client, consent) => consentUrl(platform, client, consent),
  exchange: (deps, consent, code) => exchange(platform, deps, consent, code),
  refresh: (deps, tokens) => refresh(platform, deps, tokens),
  identify: platform.identify,
})

async function consentUrl(platform: OAuthPlatform, client: OAuthClient, consent: ConsentRequest): Promise<string> {
  const url = new URL(platform.authorizeUrl)
  const fields = {
    response_type: 'code',
    [platform.clientAuth === 'client_key' ? 'client_key' : 'client_id']: client.id,
    redirect_uri: consent.redirectUri,
    scope: platform.scopes.join(platform.separator ?? ' '),
    state: consent.state,
    ...platform.authorizeFields,
    ...(platform.hasPkce && {
      code_challenge: await oauth.calculatePKCECodeChallenge(consent.verifier),
      code_challenge_method: 'S256',
    }),
  }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}

async function exchange(
  platform: OAuthPlatform,
  deps: ConnectDeps,
  consent: ConsentRequest,
  code: string,
): Promise<ConnectedAccount[]> {
  const grant = await grantFor(platform, deps, consent, code)
  requireScopes(platform.platform, platform.scopes, grant.scope?.split(/[ ,]+/) ?? platform.scopes)
  const identity = await platform.identify(deps, grant.access_token)
  if (!identity) throw connectionRefused(`${platformName(platform.platform)} did not return an account.`)
  const settings = (await platform.settings?.(deps, grant.access_token, identity)) ?? {}
  return [{ identity, tokens: tokensOf(grant, deps.now), settings }]
}

async function grantFor(platform: OAuthPlatform, { client, http }: ConnectDeps, consent: ConsentRequest, code: string) {
  const [server, oauthClient] = [serverOf(platform), { client_id: client.id }]
  const callbackParameters = new URLSearchParams({ code, state: consent.state })
  const callback = oauth.validateAuthResponse(server, oauthClient, callbackParameters, consent.state)
  const verifier = platform.hasPkce ? consent.verifier : oauth.nopkce
  const options = { ...tokenRequestOptions(http, platform.headers), additionalParameters: { ...platform.tokenFields } }
  const authentication = clientAuthentication(platform.clientAuth, client)
  const grant = await catchGrantRefused(async () => {
    const { redirectUri } = consent
    return oauth.processAuthorizationCodeResponse(
      server,
      oauthClient,
      await oauth.authorizationCodeGrantRequest(
        server,
        oauthClient,
        authentication,
        callback,
        redirectUri,
        verifier,
        options,
      ),
    )
  })
  if (grant instanceof GrantRefused) throw authorizationCodeRefused(platform.platform, grant)
  return grant
}

async function refresh(
  platform: OAuthPlatform,
  { client, http, now }: ConnectDeps,
  tokens: Tokens,
): Promise<RefreshResult> {
  const { refresh: refreshToken } = tokens
  if (!refreshToken) return { kind: 'refused' }
  const [server, oauthClient] = [serverOf(platform), { client_id: client.id }]
  const authentication = clientAuthentication(platform.clientAuth, client)
  const options = tokenRequestOptions(http, platform.headers)
  const grant = await catchGrantRefused(async () =>
    oauth.processRefreshTokenResponse(
      server,
      oauthClient,
      await oauth.refreshTokenGrantRequest(server, oauthClient, authentication, refreshToken, options),
    ),
  )
  return grant instanceof GrantRefused ? { kind: 'refused' } : { kind: 'renewed', tokens: tokensOf(grant, now, tokens) }
}

/** Errors of the library hold the response with its tokens, so they are replaced and must not be logged. */
async function catchGrantRefused<Grant>(request: () => Promise<Grant>): Promise<Grant | GrantRefused> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof GrantRefused) return error
    if (!(error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError))
      throw error
    throw new NoResponse(`The platform returned an undocumented response: ${error.code}.`)
  }
}

/** The library requires an issuer; no platform checks it. */
const serverOf = ({ authorizeUrl, tokenUrl }: OAuthPlatform): oauth.AuthorizationServer => ({
  issuer: new URL(tokenUrl).origin,
  authorization_endpoint: authorizeUrl,
  token_endpoint: tokenUrl,
})

/** Without a new refresh token the old one stays valid. TikTok names the field of its lifetime differently. */
function tokensOf(grant: oauth.TokenEndpointResponse, now: string, before?: Tokens): Tokens {
  const seconds = Number(grant.refresh_token_expires_in ?? grant.refresh_expires_in ?? 0)
  const isReused = grant.refresh_token === undefined
  return {
    access: grant.access_token,
    accessEndsAt: expiresAfter(now, grant.expires_in),
    refresh: grant.refresh_token ?? before?.refresh ?? null,
    refreshEndsAt: isReused ? (before?.refreshEndsAt ?? null) : expiresAfter(now, seconds),
  }
}
