/** The code flow of OAuth 2.0 (RFC 6749, section 4.1), with PKCE (RFC 7636) where a platform has it: what is a platform's own is data. */
import * as oauth from 'oauth4webapi'
import type { Tokens } from '../../domain/accounts/profiles.ts'
import { type PlatformId, platformName } from '../../domain/core/platform.ts'
import type { AccountIdentity } from '../../domain/records/account.ts'
import { codeRefused, GrantRefused, notConnected, refuseMissing } from '../connect-failures.ts'
import { endOf } from '../connect-responses.ts'
import type {
  Connected,
  ConnectionPlace,
  Consent,
  ConsentConnector,
  OAuthClient,
  Renewal,
  Settings,
} from '../connector.ts'
import { NoAnswer } from '../failures.ts'
import { authenticationOf, type ClientAuth, throughDoor } from './token-endpoint.ts'

export interface OAuthPlatform {
  platform: PlatformId
  authorizeUrl: string
  tokenUrl: string
  /** What publishing takes. */
  scopes: readonly string[]
  separator?: ','
  hasPkce?: true
  clientAuth: ClientAuth
  /** What it wants beside the standard's fields, in the address of its page and with a code. */
  authorizeFields?: Readonly<Record<string, string>>
  tokenFields?: Readonly<Record<string, string>>
  headers?: Record<string, string>
  identify(place: ConnectionPlace, access: string): Promise<AccountIdentity | null>
  /** Read when the account is connected. */
  settings?(place: ConnectionPlace, access: string, identity: AccountIdentity): Promise<Settings>
}

export const oauthConnector = (its: OAuthPlatform): ConsentConnector => ({
  platform: its.platform,
  consentUrl: (client, consent) => consentUrl(its, client, consent),
  exchange: (place, consent, code) => exchange(its, place, consent, code),
  renew: (place, tokens) => renew(its, place, tokens),
  identify: its.identify,
})

async function consentUrl(its: OAuthPlatform, client: OAuthClient, consent: Consent): Promise<string> {
  const url = new URL(its.authorizeUrl)
  const fields = {
    response_type: 'code',
    [its.clientAuth === 'client_key' ? 'client_key' : 'client_id']: client.id,
    redirect_uri: consent.redirectUri,
    scope: its.scopes.join(its.separator ?? ' '),
    state: consent.state,
    ...its.authorizeFields,
    ...(its.hasPkce && {
      code_challenge: await oauth.calculatePKCECodeChallenge(consent.verifier),
      code_challenge_method: 'S256',
    }),
  }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}

async function exchange(
  its: OAuthPlatform,
  place: ConnectionPlace,
  consent: Consent,
  code: string,
): Promise<Connected[]> {
  const grant = await grantFor(its, place, consent, code)
  refuseMissing(its.platform, its.scopes, grant.scope?.split(/[ ,]+/) ?? its.scopes)
  const identity = await its.identify(place, grant.access_token)
  if (!identity) throw notConnected(`${platformName(its.platform)} does not tell whose account this is.`)
  const settings = (await its.settings?.(place, grant.access_token, identity)) ?? {}
  return [{ identity, tokens: tokensOf(grant, place.now), settings }]
}

async function grantFor(its: OAuthPlatform, { client, http }: ConnectionPlace, consent: Consent, code: string) {
  const [server, known] = [serverOf(its), { client_id: client.id }]
  const back = new URLSearchParams({ code, state: consent.state })
  const answered = oauth.validateAuthResponse(server, known, back, consent.state)
  const verifier = its.hasPkce ? consent.verifier : oauth.nopkce
  const options = { ...throughDoor(http, its.headers), additionalParameters: { ...its.tokenFields } }
  const authentication = authenticationOf(its.clientAuth, client)
  const grant = await unlessRefused(async () => {
    const { redirectUri } = consent
    return oauth.processAuthorizationCodeResponse(
      server,
      known,
      await oauth.authorizationCodeGrantRequest(
        server,
        known,
        authentication,
        answered,
        redirectUri,
        verifier,
        options,
      ),
    )
  })
  if (grant instanceof GrantRefused) throw codeRefused(its.platform, grant)
  return grant
}

async function renew(its: OAuthPlatform, { client, http, now }: ConnectionPlace, tokens: Tokens): Promise<Renewal> {
  const { refresh } = tokens
  if (!refresh) return { kind: 'refused' }
  const [server, known] = [serverOf(its), { client_id: client.id }]
  const authentication = authenticationOf(its.clientAuth, client)
  const options = throughDoor(http, its.headers)
  const grant = await unlessRefused(async () =>
    oauth.processRefreshTokenResponse(
      server,
      known,
      await oauth.refreshTokenGrantRequest(server, known, authentication, refresh, options),
    ),
  )
  return grant instanceof GrantRefused ? { kind: 'refused' } : { kind: 'renewed', tokens: tokensOf(grant, now, tokens) }
}

/** What the library throws holds the answer, and with it tokens: it goes no further. */
async function unlessRefused<Grant>(ask: () => Promise<Grant>): Promise<Grant | GrantRefused> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof GrantRefused) return error
    if (!(error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError))
      throw error
    throw new NoAnswer(`The platform answers otherwise than documented: ${error.code}.`)
  }
}

/** The library wants a name of the server; none of the platforms is asked to repeat it. */
const serverOf = ({ authorizeUrl, tokenUrl }: OAuthPlatform): oauth.AuthorizationServer => ({
  issuer: new URL(tokenUrl).origin,
  authorization_endpoint: authorizeUrl,
  token_endpoint: tokenUrl,
})

/** A platform that gives no new refresh token lets the old one hold on. TikTok says otherwise than all others how long one lasts. */
function tokensOf(grant: oauth.TokenEndpointResponse, now: string, before?: Tokens): Tokens {
  const seconds = Number(grant.refresh_token_expires_in ?? grant.refresh_expires_in ?? 0)
  const isKept = grant.refresh_token === undefined
  return {
    access: grant.access_token,
    accessEndsAt: endOf(now, grant.expires_in),
    refresh: grant.refresh_token ?? before?.refresh ?? null,
    refreshEndsAt: isKept ? (before?.refreshEndsAt ?? null) : endOf(now, seconds),
  }
}
