/**
 * Connects accounts behind Facebook Pages: the Page itself, or its Instagram account. The user consents on Facebook,
 * and each Page has a token, which does not expire because it derives from a long-lived user token
 * (https://developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived).
 */
import * as v from 'valibot'
import type { PlatformId } from '../../domain/core/platform.ts'
import type { AccountIdentity } from '../../domain/records/account.ts'
import { authorizationCodeRefused, connectionRefused, GrantRefused, requireScopes } from '../connect-failures.ts'
import type { ConnectDeps, ConnectedAccount, ConsentConnector, ConsentRequest } from '../connector.ts'
import { graphGet } from './graph.ts'
import { consentDialogUrl, parseGraphResponse, parseGraphToken } from './login.ts'

export interface PagesUrls {
  authorize: string
  /** Includes the version. */
  graph: string
}

interface PagesPlatform {
  platform: PlatformId
  scopes: readonly string[]
  /** The requested fields of a Page, and the account in them; null if the Page has none. */
  fields: string
  account: v.GenericSchema<unknown, AccountIdentity | null>
  /** The message for a user without such an account. */
  noAccountMessage: string
}

/**
 * Without it, Facebook does not ask again for a denied permission
 * (https://developers.facebook.com/docs/facebook-login/web/permissions).
 */
const rerequest = { auth_type: 'rerequest' }

const permissions = v.object({ data: v.array(v.object({ permission: v.string(), status: v.string() })) })

/** The default is 25 (https://developers.facebook.com/docs/graph-api/results). */
const pagesMax = 100

/** A Page on which the user lacks permissions has no token. */
const pageToken = v.object({
  access_token: v.optional(v.string()),
  tasks: v.optional(v.array(v.string()), ['CREATE_CONTENT']),
})
const pageTokens = v.object({ data: v.array(pageToken) })

export function pagesConnector(platform: PagesPlatform, urls: PagesUrls): ConsentConnector {
  const accounts = v.object({ data: v.array(platform.account) })
  const get = ({ http }: ConnectDeps, path: string, fields: Record<string, string>) =>
    graphGet(http, `${urls.graph}${path}`, fields)

  async function exchange(deps: ConnectDeps, consent: ConsentRequest, code: string): Promise<ConnectedAccount[]> {
    const access_token = await fetchUserToken(urls.graph, deps, consent, code, platform.platform)
    const allowed = parseGraphResponse(await get(deps, '/me/permissions', { access_token }), permissions)
    const granted = allowed?.data.filter(({ status }) => status === 'granted').map(({ permission }) => permission)
    requireScopes(platform.platform, platform.scopes, granted ?? [])
    const fields = { fields: `${platform.fields},access_token,tasks`, limit: `${pagesMax}` }
    const response = await get(deps, '/me/accounts', { ...fields, access_token })
    const [found, pages] = [
      parseGraphResponse(response, accounts)?.data ?? [],
      parseGraphResponse(response, pageTokens)?.data ?? [],
    ]
    const connected = pages.flatMap(({ access_token: access, tasks }, index): ConnectedAccount[] => {
      const identity = found[index]
      if (!access || !identity || !tasks.includes('CREATE_CONTENT')) return []
      return [{ identity, tokens: { access, accessEndsAt: null, refresh: null, refreshEndsAt: null }, settings: {} }]
    })
    if (connected.length === 0) throw connectionRefused(platform.noAccountMessage)
    return connected
  }

  return {
    platform: platform.platform,
    consentUrl: async (client, consent) =>
      consentDialogUrl(urls.authorize, client, consent, platform.scopes, rerequest),
    exchange,
    refresh: async () => ({ kind: 'refused' }),
    identify: async (deps, access) =>
      parseGraphResponse(await get(deps, '/me', { fields: platform.fields, access_token: access }), platform.account),
  }
}

/** The user token for 60 days: the code yields a token for hours, which is exchanged. */
async function fetchUserToken(
  graph: string,
  { client, http }: ConnectDeps,
  { redirectUri: redirect_uri }: ConsentRequest,
  code: string,
  platform: PlatformId,
): Promise<string> {
  const url = `${graph}/oauth/access_token`
  const credentials = { client_id: client.id, client_secret: client.secret }
  try {
    const short = parseGraphToken(await graphGet(http, url, { ...credentials, redirect_uri, code })).access_token
    const exchanged = { ...credentials, grant_type: 'fb_exchange_token', fb_exchange_token: short }
    return parseGraphToken(await graphGet(http, url, exchanged)).access_token
  } catch (error) {
    throw error instanceof GrantRefused ? authorizationCodeRefused(platform, error) : error
  }
}
