// The platforms of the sandbox. Bluesky's server is open source: `npm run test:bluesky` runs the real one, which is too large for the local run.

import { makeBluesky } from './bluesky/index.ts'
import { makeLinkedIn } from './linkedin.ts'
import { makeFacebook } from './meta/facebook.ts'
import { makeInstagram } from './meta/instagram.ts'
import { makeThreads } from './meta/threads.ts'
import { makePinterest } from './pinterest.ts'
import type { PlatformFactory } from './platform.ts'
import { makeReddit } from './reddit.ts'
import { makeTikTok } from './tiktok.ts'
import { makeTwitter } from './twitter.ts'
import { makeYouTube } from './youtube.ts'

export const platformFactories: readonly PlatformFactory[] = [
  makeBluesky,
  makeFacebook,
  makeInstagram,
  makeLinkedIn,
  makePinterest,
  makeReddit,
  makeThreads,
  makeTikTok,
  makeTwitter,
  makeYouTube,
]
