/** The connector of each platform, made of the addresses that this deployment was given; those that it was not are the platform's own. */
import * as v from 'valibot'
import type { PlatformId } from '../domain/platform.ts'
import { env } from '../env.ts'
import type { PlatformUrls } from '../publishers/index.ts'
import { blueskyConnector, blueskyUrls } from './bluesky.ts'
import { facebookConnector, facebookUrls } from './facebook.ts'
import type { ConsentConnector, PasswordConnector } from './index.ts'
import { instagramConnector, instagramUrls } from './instagram.ts'
import { linkedinConnector, linkedinUrls } from './linkedin.ts'
import { pinterestConnector, pinterestUrls } from './pinterest.ts'
import { redditConnector, redditUrls } from './reddit.ts'
import { threadsConnector, threadsUrls } from './threads.ts'
import { tiktokConnector, tiktokUrls } from './tiktok.ts'
import { twitterConnector, twitterUrls } from './twitter.ts'
import { youtubeConnector, youtubeUrls } from './youtube.ts'

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

const urlsOfPlatforms = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.record(v.string(), v.string())))

export const connectorOf = (platform: PlatformId) =>
  connectorAt(platform, v.parse(urlsOfPlatforms, env.platformUrls())[platform] ?? {})
