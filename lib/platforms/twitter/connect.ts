/**
 * Connects X accounts (https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code). Codes expire after
 * 30 seconds; refresh tokens are single-use.
 */
import * as v from 'valibot'
import { parseUnlessUnauthorized } from '../connect-responses.ts'
import type { ConnectDeps, ConsentConnector } from '../connector.ts'
import { oauthConnector } from '../oauth/authorization-code.ts'
import { bearerHeader } from '../requests.ts'
import type { twitterUrls } from './urls.ts'

const identityResponse = v.object({
  data: v.object({
    id: v.string(),
    name: v.string(),
    username: v.string(),
    profile_image_url: v.optional(v.string()),
  }),
})

export function twitterConnector(urls: typeof twitterUrls): ConsentConnector {
  async function identify({ http }: ConnectDeps, access: string) {
    const url = `${urls.api}/2/users/me?user.fields=profile_image_url`
    const found = parseUnlessUnauthorized(
      await http({ method: 'GET', url, headers: bearerHeader(access) }),
      identityResponse,
    )
    if (!found) return null
    const { id: externalId, username, name: displayName, profile_image_url: pictureUrl = null } = found.data
    return { externalId, username, displayName, pictureUrl }
  }
  return oauthConnector({
    platform: 'twitter',
    authorizeUrl: urls.authorize,
    tokenUrl: `${urls.api}/2/oauth2/token`,
    scopes: ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'],
    hasPkce: true,
    clientAuth: 'basic',
    identify,
  })
}
