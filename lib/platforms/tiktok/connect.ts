/**
 * TikTok (https://developers.tiktok.com/doc/oauth-user-access-token-management): a client has a key instead of an id, and scopes are
 * separated by commas. Its name, which addresses of posts begin with, is told by the endpoint that posting begins with.
 */
import * as v from 'valibot'
import { parseUnlessUnauthorized } from '../connect-responses.ts'
import type { ConnectDeps, ConsentConnector } from '../connector.ts'
import { NotSent } from '../failures.ts'
import { oauthConnector } from '../oauth/authorization-code.ts'
import { bearerHeader, jsonPostRequest } from '../requests.ts'
import { tryParseResponse } from '../responses.ts'
import type { tiktokUrls } from './urls.ts'

const user = v.object({
  data: v.object({
    user: v.object({ open_id: v.string(), display_name: v.string(), avatar_url: v.optional(v.string(), '') }),
  }),
})
const creatorName = v.object({ data: v.object({ creator_username: v.string() }) })

export function tiktokConnector(urls: typeof tiktokUrls): ConsentConnector {
  async function fetchIdentity(
    { http }: ConnectDeps,
    access: string,
    fallbackUsername: (displayName: string) => string,
  ) {
    const fields = 'open_id,display_name,avatar_url'
    const url = `${urls.api}/v2/user/info/?fields=${fields}`
    const found = parseUnlessUnauthorized(await http({ method: 'GET', url, headers: bearerHeader(access) }), user)
    if (!found) return null
    const { open_id: externalId, display_name: displayName, avatar_url } = found.data.user
    const asked = await http(
      jsonPostRequest(`${urls.api}/v2/post/publish/creator_info/query/`, bearerHeader(access), {}),
    )
    const username = tryParseResponse(asked, creatorName)?.data.creator_username ?? fallbackUsername(displayName)
    return { externalId, username, displayName, pictureUrl: avatar_url || null }
  }
  const connector = oauthConnector({
    platform: 'tiktok',
    authorizeUrl: urls.authorize,
    tokenUrl: `${urls.api}/v2/oauth/token/`,
    scopes: ['user.info.basic', 'video.publish'],
    separator: ',',
    clientAuth: 'client_key',
    // The name is not told of a creator who has posted enough for today, and is no less connected.
    identify: (deps, access) => fetchIdentity(deps, access, (displayName) => displayName),
  })
  return {
    ...connector,
    // Once there is an account, addresses of its posts begin with the name that is known: no other takes its place.
    identify: (deps, access) =>
      fetchIdentity(deps, access, () => {
        throw new NotSent('TikTok does not tell the name of this creator at the moment.')
      }),
  }
}
