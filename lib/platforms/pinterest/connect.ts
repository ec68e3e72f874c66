/**
 * Connects Pinterest accounts
 * (https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/): each refresh
 * rotates the refresh token, which is valid for 60 days. A pin needs a board, so the account's first one becomes its
 * setting.
 */
import * as v from 'valibot'
import { parseUnlessUnauthorized, throwIfUnavailable } from '../connect-responses.ts'
import type { AccountSettings, ConnectDeps, ConsentConnector } from '../connector.ts'
import { oauthConnector } from '../oauth/authorization-code.ts'
import { bearerHeader } from '../requests.ts'
import { tryParseResponse } from '../responses.ts'
import type { pinterestUrls } from './urls.ts'

const identityResponse = v.object({
  id: v.optional(v.string()),
  username: v.string(),
  business_name: v.nullish(v.string()),
  profile_image: v.nullish(v.string()),
})
const boardsResponse = v.object({ items: v.array(v.object({ id: v.string() })) })

export function pinterestConnector(urls: typeof pinterestUrls): ConsentConnector {
  const get = ({ http }: ConnectDeps, access: string, path: string) =>
    http({ method: 'GET', url: `${urls.api}/v5${path}`, headers: bearerHeader(access) })

  async function identify(deps: ConnectDeps, access: string) {
    const found = parseUnlessUnauthorized(await get(deps, access, '/user_account'), identityResponse)
    if (!found) return null
    const { username, id: externalId = username, business_name, profile_image } = found
    return { externalId, username, displayName: business_name || username, pictureUrl: profile_image || null }
  }

  async function settings(deps: ConnectDeps, access: string): Promise<AccountSettings> {
    const response = await get(deps, access, '/boards?page_size=1')
    throwIfUnavailable(response)
    const [board] = tryParseResponse(response, boardsResponse)?.items ?? []
    return board ? { board: board.id } : {}
  }

  return oauthConnector({
    platform: 'pinterest',
    authorizeUrl: urls.authorize,
    tokenUrl: `${urls.api}/v5/oauth/token`,
    scopes: ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read'],
    separator: ',',
    clientAuth: 'basic',
    tokenFields: { continuous_refresh: 'true' },
    identify,
    settings,
  })
}
