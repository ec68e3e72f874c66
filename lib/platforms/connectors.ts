/**
 * The connector of each platform, with the platform's own URLs except where the environment overrides them. Apart from
 * `publishers.ts`, so that the bundles of API handlers that connect accounts hold no publisher
 * (`test/infra/bundle.test.ts`).
 */
import type { PlatformId } from '../domain/core/platform.ts'
import { blueskyConnector } from './bluesky/connect.ts'
import { blueskyUrls } from './bluesky/urls.ts'
import type { AccountSettings, Connector, ConsentConnector, PasswordConnector } from './connector.ts'
import { facebookConnector } from './facebook/connect.ts'
import { facebookUrls } from './facebook/urls.ts'
import { instagramConnector } from './instagram/connect.ts'
import { instagramUrls } from './instagram/urls.ts'
import { linkedinConnector } from './linkedin/connect.ts'
import { linkedinUrls } from './linkedin/urls.ts'
import { pinterestConnector } from './pinterest/connect.ts'
import { pinterestUrls } from './pinterest/urls.ts'
import type { PlatformUrls } from './publisher.ts'
import { redditConnector } from './reddit/connect.ts'
import { redditUrls } from './reddit/urls.ts'
import { threadsConnector } from './threads/connect.ts'
import { threadsUrls } from './threads/urls.ts'
import { tiktokConnector } from './tiktok/connect.ts'
import { tiktokUrls } from './tiktok/urls.ts'
import { twitterConnector } from './twitter/connect.ts'
import { twitterUrls } from './twitter/urls.ts'
import { urlOverridesOf } from './urls.ts'
import { youtubeConnector } from './youtube/connect.ts'
import { youtubeUrls } from './youtube/urls.ts'
import { type ZernioConnector, zernioConnector } from './zernio/connect.ts'
import { isViaZernio } from './zernio/settings.ts'
import { zernioUrls } from './zernio/urls.ts'

const connectors: Record<PlatformId, (overrides: PlatformUrls) => ConsentConnector | PasswordConnector> = {
  tiktok: (overrides) => tiktokConnector({ ...tiktokUrls, ...overrides }),
  youtube: (overrides) => youtubeConnector({ ...youtubeUrls, ...overrides }),
  instagram: (overrides) => instagramConnector({ ...instagramUrls, ...overrides }),
  twitter: (overrides) => twitterConnector({ ...twitterUrls, ...overrides }),
  facebook: (overrides) => facebookConnector({ ...facebookUrls, ...overrides }),
  linkedin: (overrides) => linkedinConnector({ ...linkedinUrls, ...overrides }),
  threads: (overrides) => threadsConnector({ ...threadsUrls, ...overrides }),
  pinterest: (overrides) => pinterestConnector({ ...pinterestUrls, ...overrides }),
  reddit: (overrides) => redditConnector({ ...redditUrls, ...overrides }),
  bluesky: (overrides) => blueskyConnector({ ...blueskyUrls, ...overrides }),
}

export const connectorWithUrls = (id: PlatformId, overrides: PlatformUrls) => connectors[id](overrides)

export const directConnector = (id: PlatformId) => connectorWithUrls(id, urlOverridesOf(id))

export const zernioConnectorOf = (id: PlatformId): ZernioConnector =>
  zernioConnector(id, { ...zernioUrls, ...urlOverridesOf(id) })

/** Zernio's for an account that is connected through Zernio, else the platform's own. */
export const connectorOf = (id: PlatformId, settings: AccountSettings): Connector =>
  isViaZernio(settings) ? zernioConnectorOf(id) : directConnector(id)
