/** The publisher of each platform, at the addresses that the environment names. */

import type { PlatformId } from '../../domain/core/platform.ts'
import type { PostingAccount } from '../../domain/publishing/posting.ts'
import { blueskyPublisher, blueskyUrls } from '../../platforms/bluesky/publish.ts'
import { facebookPublisher, facebookUrls } from '../../platforms/facebook/publish.ts'
import { instagramPublisher, instagramUrls } from '../../platforms/instagram/publish.ts'
import { linkedinPublisher, linkedinUrls } from '../../platforms/linkedin/publish.ts'
import { pinterestPublisher, pinterestUrls } from '../../platforms/pinterest/publish.ts'
import type { PlatformUrls, Publisher } from '../../platforms/publisher.ts'
import { redditPublisher, redditUrls } from '../../platforms/reddit/publish.ts'
import { threadsPublisher, threadsUrls } from '../../platforms/threads/publish.ts'
import { tiktokPublisher, tiktokUrls } from '../../platforms/tiktok/publish.ts'
import { twitterPublisher, twitterUrls } from '../../platforms/twitter/publish.ts'
import { urlOverridesOf } from '../../platforms/urls.ts'
import { youtubePublisher, youtubeUrls } from '../../platforms/youtube/publish.ts'
import { isViaZernio, zernioPublisher, zernioUrls } from '../../platforms/zernio/publish.ts'

const publishers: { [Id in PlatformId]: (urls: PlatformUrls) => Publisher } = {
  tiktok: (urls) => tiktokPublisher({ ...tiktokUrls, ...urls }),
  youtube: (urls) => youtubePublisher({ ...youtubeUrls, ...urls }),
  instagram: (urls) => instagramPublisher({ ...instagramUrls, ...urls }),
  twitter: (urls) => twitterPublisher({ ...twitterUrls, ...urls }),
  facebook: (urls) => facebookPublisher({ ...facebookUrls, ...urls }),
  linkedin: (urls) => linkedinPublisher({ ...linkedinUrls, ...urls }),
  threads: (urls) => threadsPublisher({ ...threadsUrls, ...urls }),
  pinterest: (urls) => pinterestPublisher({ ...pinterestUrls, ...urls }),
  reddit: (urls) => redditPublisher({ ...redditUrls, ...urls }),
  bluesky: (urls) => blueskyPublisher({ ...blueskyUrls, ...urls }),
}

/** `settings`: of the account that is posted to. */
export function publisherOf(platform: PlatformId, settings: PostingAccount['settings'] = {}): Publisher {
  const urls = urlOverridesOf(platform)
  const direct = publishers[platform](urls)
  return isViaZernio(settings) ? zernioPublisher(direct, { ...zernioUrls, ...urls }) : direct
}
