/**
 * Accounts behind a Facebook Page: the Page itself, and its Instagram account. The user allows it on Facebook, and each Page that has such
 * an account has a token for it. It does not end by itself: it is taken from a long token of the user
 * (https://developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived).
 */
import * as v from 'valibot'
import type { PlatformId } from '../../domain/core/platform.ts'
import type { AccountIdentity } from '../../domain/records/account.ts'
import { codeRefused, GrantRefused, notConnected, refuseMissing } from '../connect-failures.ts'
import type { Connected, ConnectionPlace, Consent, ConsentConnector } from '../connector.ts'
import { dialogUrl, grantIn, graphGet, graphRead } from './login.ts'

export interface PagesUrls {
  authorize: string
  /** With its version. */
  graph: string
}

export interface PagesNetwork {
  platform: PlatformId
  scopes: readonly string[]
  /** What is asked of a Page, and how that becomes the account; null where this Page has none. */
  fields: string
  account: v.GenericSchema<unknown, AccountIdentity | null>
  /** What a user is told who has no such account. */
  missing: string
}

/** A permission that was denied once is not asked for again without it (https://developers.facebook.com/docs/facebook-login/web/permissions). */
const askAgain = { auth_type: 'rerequest' }

const permissions = v.object({ data: v.array(v.object({ permission: v.string(), status: v.string() })) })

/** Without a limit there are 25 in an answer (https://developers.facebook.com/docs/graph-api/results). */
const pagesMax = 100

/** A Page on which the user may do too little has no token. */
const key = v.object({
  access_token: v.optional(v.string()),
  tasks: v.optional(v.array(v.string()), ['CREATE_CONTENT']),
})
const keys = v.object({ data: v.array(key) })

export function pagesConnector(its: PagesNetwork, urls: PagesUrls): ConsentConnector {
  const accounts = v.object({ data: v.array(its.account) })
  const get = ({ http }: ConnectionPlace, path: string, fields: Record<string, string>) =>
    graphGet(http, `${urls.graph}${path}`, fields)

  async function exchange(place: ConnectionPlace, consent: Consent, code: string): Promise<Connected[]> {
    const access_token = await userToken(urls.graph, place, consent, code, its.platform)
    const allowed = graphRead(await get(place, '/me/permissions', { access_token }), permissions)
    const granted = allowed?.data.filter(({ status }) => status === 'granted').map(({ permission }) => permission)
    refuseMissing(its.platform, its.scopes, granted ?? [])
    const fields = { fields: `${its.fields},access_token,tasks`, limit: `${pagesMax}` }
    const answer = await get(place, '/me/accounts', { ...fields, access_token })
    const [found, pages] = [graphRead(answer, accounts)?.data ?? [], graphRead(answer, keys)?.data ?? []]
    const connected = pages.flatMap(({ access_token: access, tasks }, index): Connected[] => {
      const identity = found[index]
      if (!access || !identity || !tasks.includes('CREATE_CONTENT')) return []
      return [{ identity, tokens: { access, accessEndsAt: null, refresh: null, refreshEndsAt: null }, settings: {} }]
    })
    if (connected.length === 0) throw notConnected(its.missing)
    return connected
  }

  return {
    platform: its.platform,
    consentUrl: async (client, consent) => dialogUrl(urls.authorize, client, consent, its.scopes, askAgain),
    exchange,
    renew: async () => ({ kind: 'refused' }),
    identify: async (place, access) =>
      graphRead(await get(place, '/me', { fields: its.fields, access_token: access }), its.account),
  }
}

/** Of the user, for 60 days: the code gives one for hours, which is exchanged. */
async function userToken(
  graph: string,
  { client, http }: ConnectionPlace,
  { redirectUri: redirect_uri }: Consent,
  code: string,
  platform: PlatformId,
): Promise<string> {
  const url = `${graph}/oauth/access_token`
  const own = { client_id: client.id, client_secret: client.secret }
  try {
    const short = grantIn(await graphGet(http, url, { ...own, redirect_uri, code })).access_token
    const exchanged = { ...own, grant_type: 'fb_exchange_token', fb_exchange_token: short }
    return grantIn(await graphGet(http, url, exchanged)).access_token
  } catch (error) {
    throw error instanceof GrantRefused ? codeRefused(platform, error) : error
  }
}
