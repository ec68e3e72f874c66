// Bluesky for the local run, for which the real server is too large: the repository of an account and the video service.

import type { PlatformFactory } from '../platform.ts'
import { repositoryOperations, xrpcError } from './repository.ts'
import { videoOperations } from './video.ts'

export const makeBluesky: PlatformFactory = (ground) => ({
  id: 'bluesky',
  urls: (base) => ({ pds: `${base}/bluesky/pds`, video: `${base}/bluesky/video` }),
  tokenSeconds: 7_200,
  operations: [...repositoryOperations(ground), ...videoOperations(ground)],
  errors: {
    failure: (status) => xrpcError(status, 'InternalServerError', 'Internal Server Error'),
    unauthorised: (why) => {
      if (why === 'missing') return xrpcError(401, 'AuthenticationRequired', 'Authentication Required')
      return xrpcError(400, why === 'expired' ? 'ExpiredToken' : 'InvalidToken', `The token is ${why}.`)
    },
    rateLimited: (seconds) => ({
      ...xrpcError(429, 'RateLimitExceeded', 'Rate Limit Exceeded'),
      headers: { 'ratelimit-reset': String(Math.ceil(ground.clock.now() / 1000) + seconds) },
    }),
    malformed: (message) => xrpcError(400, 'InvalidRequest', message),
  },
})
