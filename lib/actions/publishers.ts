/** The publisher of each platform, at the addresses that the environment names. */
import { urlsOf } from '../connections/urls.ts'
import type { PlatformId } from '../domain/platform.ts'
import type { PostingAccount } from '../domain/posting.ts'
import { bluesky, blueskyUrls } from '../publishers/bluesky/publisher.ts'
import { facebook, facebookUrls } from '../publishers/facebook.ts'
import type { PlatformUrls, Publisher } from '../publishers/index.ts'
import { instagram, instagramUrls } from '../publishers/instagram.ts'
import { linkedin, linkedinUrls } from '../publishers/linkedin.ts'
import { pinterest, pinterestUrls } from '../publishers/pinterest.ts'
import { reddit, redditUrls } from '../publishers/reddit.ts'
import { threads, threadsUrls } from '../publishers/threads.ts'
import { tiktok, tiktokUrls } from '../publishers/tiktok.ts'
import { twitter, twitterUrls } from '../publishers/twitter.ts'
import { youtube, youtubeUrls } from '../publishers/youtube.ts'
import { isViaZernio, zernio, zernioUrls } from '../publishers/zernio.ts'

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
