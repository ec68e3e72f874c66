/**
 * Connects YouTube channels through Google (https://developers.google.com/identity/protocols/oauth2/web-server): a
 * refresh token is granted only with `access_type=offline`, and again only with `prompt=consent`. Users with several
 * channels choose one on Google's page (`select_account`).
 */
import * as v from 'valibot'
import { connectionRefused } from '../connect-failures.ts'
import { parseUnlessUnauthorized } from '../connect-responses.ts'
import type { ConnectDeps, ConsentConnector } from '../connector.ts'
import { oauthConnector } from '../oauth/authorization-code.ts'
import { bearerHeader } from '../requests.ts'
import type { youtubeUrls } from './urls.ts'

const scopeOf = (name: string) => `https://www.googleapis.com/auth/${name}`

const channelsResponse = v.object({
  items: v.optional(
    v.array(
      v.object({
        id: v.string(),
        snippet: v.object({
          title: v.string(),
          customUrl: v.optional(v.string()),
          thumbnails: v.optional(v.object({ default: v.optional(v.object({ url: v.string() })) })),
        }),
      }),
    ),
    [],
  ),
})

export function youtubeConnector(urls: typeof youtubeUrls): ConsentConnector {
  async function identify({ http }: ConnectDeps, access: string) {
    const url = `${urls.api}/youtube/v3/channels?part=snippet&mine=true`
    const found = parseUnlessUnauthorized(
      await http({ method: 'GET', url, headers: bearerHeader(access) }),
      channelsResponse,
    )
    if (!found) return null
    const [channel] = found.items
    if (!channel) throw connectionRefused('This Google account has no YouTube channel.')
    const { title, customUrl = title, thumbnails } = channel.snippet
    return {
      externalId: channel.id,
      username: customUrl.replace(/^@/, ''),
      displayName: title,
      pictureUrl: thumbnails?.default?.url ?? null,
    }
  }
  return oauthConnector({
    platform: 'youtube',
    authorizeUrl: urls.authorize,
    tokenUrl: urls.token,
    scopes: [scopeOf('youtube.upload'), scopeOf('youtube.readonly')],
    hasPkce: true,
    clientAuth: 'form',
    authorizeFields: { access_type: 'offline', prompt: 'consent select_account' },
    identify,
  })
}
