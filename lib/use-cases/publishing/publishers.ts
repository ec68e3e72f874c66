/** The publisher of each platform, at the addresses that the environment names. */

import type { PlatformId } from '../../domain/core/platform.ts'
import type { PostingAccount } from '../../domain/publishing/posting.ts'
import { bluesky, blueskyUrls } from '../../platforms/bluesky/publish.ts'
import { facebook, facebookUrls } from '../../platforms/facebook/publish.ts'
import { instagram, instagramUrls } from '../../platforms/instagram/publish.ts'
import { linkedin, linkedinUrls } from '../../platforms/linkedin/publish.ts'
import { pinterest, pinterestUrls } from '../../platforms/pinterest/publish.ts'
import type { PlatformUrls, Publisher } from '../../platforms/publisher.ts'
import { reddit, redditUrls } from '../../platforms/reddit/publish.ts'
import { threads, threadsUrls } from '../../platforms/threads/publish.ts'
import { tiktok, tiktokUrls } from '../../platforms/tiktok/publish.ts'
import { twitter, twitterUrls } from '../../platforms/twitter/publish.ts'
import { urlsOf } from '../../platforms/urls.ts'
import { youtube, youtubeUrls } from '../../platforms/youtube/publish.ts'
import { isViaZernio, zernio, zernioUrls } from '../../platforms/zernio/publish.ts'

const publishers: { [Id in PlatformId]: (urls: PlatformUrls) => Publisher } = {
  tiktok: (urls) => tiktok({ ...tiktokUrls, ...urls }),
  youtube: (urls) => youtube({ ...youtubeUrls, ...urls }),
  instagram: (urls) => instagram({ ...instagramUrls, ...urls }),
  twitter: (urls) => twitter({ ...twitterUrls, ...urls }),
  facebook: (urls) => facebook({ ...facebookUrls, ...urls }),
  linkedin: (urls) => linkedin({ ...linkedinUrls, ...urls }),
  threads: (urls) => threads({ ...threadsUrls, ...urls }),
  pinterest: (urls) => pinterest({ ...pinterestUrls, ...urls }),
  reddit: (urls) => reddit({ ...redditUrls, ...urls }),
  bluesky: (urls) => bluesky({ ...blueskyUrls, ...urls }),
}

/** `settings`: of the account that is posted to. */
export function publisherOf(platform: PlatformId, settings: PostingAccount['settings'] = {}): Publisher {
  const urls = urlsOf(platform)
  const direct = publishers[platform](urls)
  return isViaZernio(settings) ? zernio(direct, { ...zernioUrls, ...urls }) : direct
}
