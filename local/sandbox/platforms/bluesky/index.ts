// Bluesky for the local run, which has no room for the real server: the repository of an account, and the video service beside it.

import type { MakePlatform } from '../platform.ts'
import { refusal, repositoryCalls } from './repository.ts'
import { videoCalls } from './video.ts'

export const makeBluesky: MakePlatform = (ground) => ({
  id: 'bluesky',
  urls: (base) => ({ pds: `${base}/bluesky/pds`, video: `${base}/bluesky/video` }),
  tokenSeconds: 7_200,
  calls: [...repositoryCalls(ground), ...videoCalls(ground)],
  says: {
    failure: (status) => refusal(status, 'InternalServerError', 'Internal Server Error'),
    unauthorised: (why) => {
      if (why === 'missing') return refusal(401, 'AuthenticationRequired', 'Authentication Required')
      return refusal(400, why === 'expired' ? 'ExpiredToken' : 'InvalidToken', `The token is ${why}.`)
    },
    rateLimited: (seconds) => ({
      ...refusal(429, 'RateLimitExceeded', 'Rate Limit Exceeded'),
      headers: { 'ratelimit-reset': String(Math.ceil(ground.clock.now() / 1000) + seconds) },
    }),
    malformed: (message) => refusal(400, 'InvalidRequest', message),
  },
})
