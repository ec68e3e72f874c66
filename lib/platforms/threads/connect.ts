/**
 * Connects Threads accounts (https://developers.facebook.com/docs/threads/get-started/long-lived-tokens): the code
 * yields a token for an hour, which is exchanged for one of 60 days. That token refreshes itself once it is a day old.
 */
import * as v from 'valibot'
import type { Tokens } from '../../domain/records/tokens.ts'
import { authorizationCodeRefused, connectionRefused, GrantRefused } from '../connect-failures.ts'
import { expiresAfter } from '../connect-responses.ts'
import type { ConnectDeps, ConnectedAccount, ConsentConnector, ConsentRequest, RefreshResult } from '../connector.ts'
import { graphGet } from '../meta/graph.ts'
import { consentDialogUrl, parseGraphResponse, parseGraphToken } from '../meta/login.ts'
import type { PlatformResponse } from '../publisher.ts'
import { formPostRequest } from '../requests.ts'
import type { threadsUrls } from './urls.ts'

const scopes = ['threads_basic', 'threads_content_publish']
const identityResponse = v.object({
  id: v.string(),
  username: v.string(),
  name: v.optional(v.string()),
  threads_profile_picture_url: v.optional(v.string()),
})

export function threadsConnector(urls: typeof threadsUrls): ConsentConnector {
  async function identify({ http }: ConnectDeps, access: string) {
    const fields = 'id,username,name,threads_profile_picture_url'
    const found = parseGraphResponse(
      await graphGet(http, `${urls.graph}/me`, { fields, access_token: access }),
      identityResponse,
    )
    if (!found) return null
    const { id: externalId, username, name, threads_profile_picture_url: pictureUrl = null } = found
    return { externalId, username, displayName: name || username, pictureUrl }
  }

  async function exchange(deps: ConnectDeps, consent: ConsentRequest, code: string): Promise<ConnectedAccount[]> {
    const tokens = await fetchLongLivedToken(deps, consent, code)
    const identity = await identify(deps, tokens.access)
    if (!identity) throw connectionRefused('Threads did not return an account.')
    return [{ identity, tokens, settings: {} }]
  }

  async function fetchLongLivedToken(
    { client, http, now }: ConnectDeps,
    consent: ConsentRequest,
    code: string,
  ): Promise<Tokens> {
    const credentials = { client_id: client.id, client_secret: client.secret }
    const body = { ...credentials, grant_type: 'authorization_code', redirect_uri: consent.redirectUri, code }
    try {
      const short = parseGraphToken(await http(formPostRequest(`${urls.tokens}/oauth/access_token`, body))).access_token
      const exchanged = { grant_type: 'th_exchange_token', client_secret: client.secret, access_token: short }
      return tokensIn(await graphGet(http, `${urls.tokens}/access_token`, exchanged), now)
    } catch (error) {
      throw error instanceof GrantRefused ? authorizationCodeRefused('threads', error) : error
    }
  }

  async function refresh({ http, now }: ConnectDeps, tokens: Tokens): Promise<RefreshResult> {
    const { refresh: refreshToken } = tokens
    if (!refreshToken) return { kind: 'refused' }
    // A token that is invalid for another reason fails at its next use.
    if (isTooYoungToRefresh(tokens, now)) return { kind: 'renewed', tokens }
    const fields = { grant_type: 'th_refresh_token', access_token: refreshToken }
    try {
      return {
        kind: 'renewed',
        tokens: tokensIn(await graphGet(http, `${urls.tokens}/refresh_access_token`, fields), now),
      }
    } catch (error) {
      if (error instanceof GrantRefused) return { kind: 'refused' }
      throw error
    }
  }

  return {
    platform: 'threads',
    consentUrl: async (client, consent) => consentDialogUrl(urls.authorize, client, consent, scopes),
    exchange,
    refresh,
    identify,
  }
}

const [tokenLifetimeHours, refreshableAfterHours] = [60 * 24, 24]

/** Tokens can be refreshed once they are a day old. */
const isTooYoungToRefresh = ({ accessEndsAt }: Tokens, now: string) =>
  accessEndsAt !== null &&
  Date.parse(accessEndsAt) - Date.parse(now) > (tokenLifetimeHours - refreshableAfterHours) * 3_600_000

/** The access token is its own refresh token. */
function tokensIn(response: PlatformResponse, now: string): Tokens {
  const { access_token: token, expires_in } = parseGraphToken(response)
  const endsAt = expiresAfter(now, expires_in)
  return { access: token, accessEndsAt: endsAt, refresh: token, refreshEndsAt: endsAt }
}
