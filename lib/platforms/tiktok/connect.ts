/**
 * Connects TikTok accounts (https://developers.tiktok.com/doc/oauth-user-access-token-management): clients have a key
 * instead of an id, and scopes are separated by commas. The username, needed for post URLs, comes from the first
 * endpoint of publishing.
 */
import * as v from 'valibot'
import { parseUnlessUnauthorized } from '../connect-responses.ts'
import type { ConnectDeps, ConsentConnector } from '../connector.ts'
import { NotSent } from '../failures.ts'
import { oauthConnector } from '../oauth/authorization-code.ts'
import { bearerHeader, jsonPostRequest } from '../requests.ts'
import { tryParseResponse } from '../responses.ts'
import type { tiktokUrls } from './urls.ts'

const userResponse = v.object({
  data: v.object({
    user: v.object({ open_id: v.string(), display_name: v.string(), avatar_url: v.optional(v.string(), '') }),
  }),
})
const creatorResponse = v.object({ data: v.object({ creator_username: v.string() }) })

export function tiktokConnector(urls: typeof tiktokUrls): ConsentConnector {
  async function fetchIdentity(
    { http }: ConnectDeps,
    access: string,
    fallbackUsername: (displayName: string) => string,
  ) {
    const fields = 'open_id,display_name,avatar_url'
    const url = `${urls.api}/v2/user/info/?fields=${fields}`
    const found = parseUnlessUnauthorized(
      await http({ method: 'GET', url, headers: bearerHeader(access) }),
      userResponse,
    )
    if (!found) return null
    const { open_id: externalId, display_name: displayName, avatar_url } = found.data.user
    const creator = await http(
      jsonPostRequest(`${urls.api}/v2/post/publish/creator_info/query/`, bearerHeader(access), {}),
    )
    const username = tryParseResponse(creator, creatorResponse)?.data.creator_username ?? fallbackUsername(displayName)
    return { externalId, username, displayName, pictureUrl: avatar_url || null }
  }
  const connector = oauthConnector({
    platform: 'tiktok',
    authorizeUrl: urls.authorize,
    tokenUrl: `${urls.api}/v2/oauth/token/`,
    scopes: ['user.info.basic', 'video.publish'],
    separator: ',',
    clientAuth: 'client_key',
    // TikTok withholds the username at the daily limit of posts, which must not prevent connecting.
    identify: (deps, access) => fetchIdentity(deps, access, (displayName) => displayName),
  })
  return {
    ...connector,
    // For an existing account the display name must not replace the known username.
    identify: (deps, access) =>
      fetchIdentity(deps, access, () => {
        throw new NotSent('TikTok does not return the username of this creator at the moment.')
      }),
  }
}
