/**
 * Connects LinkedIn members, who post as persons
 * (https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow). Access tokens expire
 * after 60 days. Only approved apps get refresh tokens; members of other apps have to connect again.
 */
import * as v from 'valibot'
import { parseUnlessUnauthorized } from '../connect-responses.ts'
import type { ConnectDeps, ConsentConnector } from '../connector.ts'
import { oauthConnector } from '../oauth/authorization-code.ts'
import { bearerHeader } from '../requests.ts'
import type { linkedinUrls } from './urls.ts'

const me = v.object({ sub: v.string(), name: v.string(), picture: v.optional(v.string()) })

export function linkedinConnector(urls: typeof linkedinUrls): ConsentConnector {
  async function identify({ http }: ConnectDeps, access: string) {
    const url = `${urls.api}/v2/userinfo`
    const found = parseUnlessUnauthorized(await http({ method: 'GET', url, headers: bearerHeader(access) }), me)
    if (!found) return null
    const { sub, name, picture = null } = found
    return { externalId: `urn:li:person:${sub}`, username: name, displayName: name, pictureUrl: picture }
  }
  return oauthConnector({
    platform: 'linkedin',
    authorizeUrl: `${urls.site}/oauth/v2/authorization`,
    tokenUrl: `${urls.site}/oauth/v2/accessToken`,
    scopes: ['openid', 'profile', 'w_member_social'],
    clientAuth: 'form',
    identify,
  })
}
