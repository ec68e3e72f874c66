/** The connector of each platform, made of the addresses that this deployment was given; those that it was not are the platform's own. */
import type { PlatformId } from '../domain/core/platform.ts'
import { blueskyConnector, blueskyUrls } from './bluesky/connect.ts'
import type { AccountSettings, Connector, ConsentConnector, PasswordConnector } from './connector.ts'
import { facebookConnector, facebookUrls } from './facebook/connect.ts'
import { instagramConnector, instagramUrls } from './instagram/connect.ts'
import { linkedinConnector, linkedinUrls } from './linkedin/connect.ts'
import { pinterestConnector, pinterestUrls } from './pinterest/connect.ts'
import type { PlatformUrls } from './publisher.ts'
import { redditConnector, redditUrls } from './reddit/connect.ts'
import { threadsConnector, threadsUrls } from './threads/connect.ts'
import { tiktokConnector, tiktokUrls } from './tiktok/connect.ts'
import { twitterConnector, twitterUrls } from './twitter/connect.ts'
import { urlOverridesOf } from './urls.ts'
import { youtubeConnector, youtubeUrls } from './youtube/connect.ts'
import { type ZernioConnector, zernioConnector } from './zernio/connect.ts'
import { isViaZernio, zernioUrls } from './zernio/publish.ts'

const connectors: Record<PlatformId, (urls: PlatformUrls) => ConsentConnector | PasswordConnector> = {
  tiktok: (urls) => tiktokConnector({ ...tiktokUrls, ...urls }),
  youtube: (urls) => youtubeConnector({ ...youtubeUrls, ...urls }),
  instagram: (urls) => instagramConnector({ ...instagramUrls, ...urls }),
  twitter: (urls) => twitterConnector({ ...twitterUrls, ...urls }),
  facebook: (urls) => facebookConnector({ ...facebookUrls, ...urls }),
  linkedin: (urls) => linkedinConnector({ ...linkedinUrls, ...urls }),
  threads: (urls) => threadsConnector({ ...threadsUrls, ...urls }),
  pinterest: (urls) => pinterestConnector({ ...pinterestUrls, ...urls }),
  reddit: (urls) => redditConnector({ ...redditUrls, ...urls }),
  bluesky: (urls) => blueskyConnector({ ...blueskyUrls, ...urls }),
}

export const connectorWithUrls = (platform: PlatformId, urls: PlatformUrls) => connectors[platform](urls)

export const directConnector = (platform: PlatformId) => connectorWithUrls(platform, urlOverridesOf(platform))

export const zernioConnectorFor = (platform: PlatformId): ZernioConnector =>
  zernioConnector(platform, { ...zernioUrls, ...urlOverridesOf(platform) })

/** That of an account, by the way that it was connected. */
export const connectorFor = (platform: PlatformId, settings: AccountSettings): Connector =>
  isViaZernio(settings) ? zernioConnectorFor(platform) : directConnector(platform)
