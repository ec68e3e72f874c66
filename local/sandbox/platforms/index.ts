// The platforms that the sandbox speaks for. Bluesky's own server is open: tests run it for real, and the local run has no room for it.

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
