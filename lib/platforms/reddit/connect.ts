/**
 * Connects Reddit accounts (https://github.com/reddit-archive/reddit/wiki/OAuth2): a refresh token is granted only with
 * `duration=permanent`, and every request needs a user agent. Posts go to the user's profile unless the settings name a
 * subreddit.
 */
import * as v from 'valibot'
import { parseUnlessUnauthorized } from '../connect-responses.ts'
import type { ConnectDeps, ConsentConnector } from '../connector.ts'
import { oauthConnector } from '../oauth/authorization-code.ts'
import { bearerHeader } from '../requests.ts'
import { type redditUrls, userAgent } from './urls.ts'

const identityResponse = v.object({ id: v.string(), name: v.string(), icon_img: v.optional(v.string(), '') })

/** The account's own name is not known yet. */
const agent = userAgent('reelsmith')

export function redditConnector(urls: typeof redditUrls): ConsentConnector {
  async function identify({ http }: ConnectDeps, access: string) {
    const url = `${urls.api}/api/v1/me?raw_json=1`
    const found = parseUnlessUnauthorized(
      await http({ method: 'GET', url, headers: { ...agent, ...bearerHeader(access) } }),
      identityResponse,
    )
    if (!found) return null
    const { id, name, icon_img } = found
    return { externalId: id, username: name, displayName: name, pictureUrl: icon_img || null }
  }
  return oauthConnector({
    platform: 'reddit',
    authorizeUrl: `${urls.site}/api/v1/authorize`,
    tokenUrl: `${urls.site}/api/v1/access_token`,
    scopes: ['identity', 'submit', 'read', 'flair', 'history'],
    clientAuth: 'basic',
    authorizeFields: { duration: 'permanent' },
    headers: agent,
    identify,
    settings: async (_deps, _access, { username }) => ({ subreddit: `u_${username}` }),
  })
}
