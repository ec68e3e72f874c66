/** The connector of each platform, made of the addresses that this deployment was given; those that it was not are the platform's own. */
import type { PlatformId } from '../domain/platform.ts'
import type { PlatformUrls } from '../publishers/index.ts'
import { isViaZernio, zernioUrls } from '../publishers/zernio.ts'
import { blueskyConnector, blueskyUrls } from './bluesky.ts'
import { facebookConnector, facebookUrls } from './facebook.ts'
import type { Connector, ConsentConnector, PasswordConnector, Settings } from './index.ts'
import { instagramConnector, instagramUrls } from './instagram.ts'
import { linkedinConnector, linkedinUrls } from './linkedin.ts'
import { pinterestConnector, pinterestUrls } from './pinterest.ts'
import { redditConnector, redditUrls } from './reddit.ts'
import { threadsConnector, threadsUrls } from './threads.ts'
import { tiktokConnector, tiktokUrls } from './tiktok.ts'
import { twitterConnector, twitterUrls } from './twitter.ts'
import { urlsOf } from './urls.ts'
import { youtubeConnector, youtubeUrls } from './youtube.ts'
import { type ZernioConnector, zernioConnector } from './zernio.ts'

const makers: Record<PlatformId, (urls: PlatformUrls) => ConsentConnector | PasswordConnector> = {
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

export const connectorAt = (platform: PlatformId, urls: PlatformUrls) => makers[platform](urls)

export const connectorOf = (platform: PlatformId) => connectorAt(platform, urlsOf(platform))

export const zernioConnectorOf = (platform: PlatformId): ZernioConnector =>
  zernioConnector(platform, { ...zernioUrls, ...urlsOf(platform) })

/** That of an account, by the way that it was connected. */
export const connectorFor = (platform: PlatformId, settings: Settings): Connector =>
  isViaZernio(settings) ? zernioConnectorOf(platform) : connectorOf(platform)
