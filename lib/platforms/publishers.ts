/** The publisher of each platform, with the platform's own URLs except where the environment overrides them. */
import type { PlatformId } from '../domain/core/platform.ts'
import { blueskyPublisher } from './bluesky/publish.ts'
import { blueskyUrls } from './bluesky/urls.ts'
import type { AccountSettings } from './connector.ts'
import { facebookPublisher } from './facebook/publish.ts'
import { facebookUrls } from './facebook/urls.ts'
import { instagramPublisher } from './instagram/publish.ts'
import { instagramUrls } from './instagram/urls.ts'
import { linkedinPublisher } from './linkedin/publish.ts'
import { linkedinUrls } from './linkedin/urls.ts'
import { pinterestPublisher } from './pinterest/publish.ts'
import { pinterestUrls } from './pinterest/urls.ts'
import type { PlatformUrls, Publisher } from './publisher.ts'
import { redditPublisher } from './reddit/publish.ts'
import { redditUrls } from './reddit/urls.ts'
import { threadsPublisher } from './threads/publish.ts'
import { threadsUrls } from './threads/urls.ts'
import { tiktokPublisher } from './tiktok/publish.ts'
import { tiktokUrls } from './tiktok/urls.ts'
import { twitterPublisher } from './twitter/publish.ts'
import { twitterUrls } from './twitter/urls.ts'
import { urlOverridesOf } from './urls.ts'
import { youtubePublisher } from './youtube/publish.ts'
import { youtubeUrls } from './youtube/urls.ts'
import { zernioPublisher } from './zernio/publish.ts'
import { isViaZernio } from './zernio/settings.ts'
import { zernioUrls } from './zernio/urls.ts'

const publishers: Record<PlatformId, (overrides: PlatformUrls) => Publisher> = {
  tiktok: (overrides) => tiktokPublisher({ ...tiktokUrls, ...overrides }),
  youtube: (overrides) => youtubePublisher({ ...youtubeUrls, ...overrides }),
  instagram: (overrides) => instagramPublisher({ ...instagramUrls, ...overrides }),
  twitter: (overrides) => twitterPublisher({ ...twitterUrls, ...overrides }),
  facebook: (overrides) => facebookPublisher({ ...facebookUrls, ...overrides }),
  linkedin: (overrides) => linkedinPublisher({ ...linkedinUrls, ...overrides }),
  threads: (overrides) => threadsPublisher({ ...threadsUrls, ...overrides }),
  pinterest: (overrides) => pinterestPublisher({ ...pinterestUrls, ...overrides }),
  reddit: (overrides) => redditPublisher({ ...redditUrls, ...overrides }),
  bluesky: (overrides) => blueskyPublisher({ ...blueskyUrls, ...overrides }),
}

/** Zernio's for an account that is connected through Zernio, else the platform's own. */
export function publisherOf(id: PlatformId, settings: AccountSettings = {}): Publisher {
  const overrides = urlOverridesOf(id)
  const direct = publishers[id](overrides)
  const publisher = isViaZernio(settings) ? zernioPublisher(direct, { ...zernioUrls, ...overrides }) : direct
  return overrides.posts ? withPostPages(publisher, overrides.posts) : publisher
}

/** Posts of a sandbox are not on the platform's site: their URLs are those of the pages below `posts`. */
function withPostPages(publisher: Publisher, posts: string): Publisher {
  const located = <Outcome extends { kind: string }>(outcome: Outcome): Outcome =>
    'externalId' in outcome && typeof outcome.externalId === 'string'
      ? { ...outcome, url: `${posts}/${encodeURIComponent(outcome.externalId)}` }
      : outcome
  return {
    ...publisher,
    step: async (state, context) => located(await publisher.step(state, context)),
    lookUp: async (state, context) => located(await publisher.lookUp(state, context)),
  }
}
