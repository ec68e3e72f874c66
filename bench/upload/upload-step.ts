/**
 * Runs the upload step of a posting with a video of 100 MB, from the storage at the first argument to the platform at
 * the second. Prints the next step and the peak memory in KB.
 */
import { readRange } from '../../lib/aws/media-bucket.ts'
import { secondsAfter } from '../../lib/domain/core/time.ts'
import { newPosting, type Posting } from '../../lib/domain/publishing/posting.ts'
import { facebookPublisher } from '../../lib/platforms/facebook/publish.ts'
import { platformClient } from '../../lib/use-cases/accounts/platform-client.ts'
import { advancePosting } from '../../lib/use-cases/publishing/advance-posting.ts'

const [storage = '', platform = ''] = process.argv.slice(2)
Object.assign(process.env, {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'a',
  AWS_SECRET_ACCESS_KEY: 'a',
  AWS_ENDPOINT_URL_S3: storage,
  BUCKET_NAME: 'media',
  ALLOW_LOOPBACK: 'true',
})

const acceptedAt = '2026-11-21T10:00:00.000Z'
const film = { bytes: 100_000_000, width: 1080, height: 1920, durationMs: 60_000, url: '', coverUrl: '' }
const ids = { workspaceId: 'wsp_1', videoId: 'vid_1', runId: 'run_1', profileId: 'prf_1', accountId: 'acc_1' }
const account = {
  ...{ id: 'acc_1', workspaceId: 'wsp_1', profileId: 'prf_1', platform: 'facebook' as const, version: 1 },
  ...{ externalId: '1', username: 'user', displayName: 'User', pictureUrl: null, settings: {} },
  ...{ health: 'connected' as const, connectedAt: acceptedAt, updatedAt: acceptedAt },
}
const state = { step: 'upload', videoId: '1', uploadUrl: `${platform}/upload` }
let posting: Posting = newPosting(
  {
    ...ids,
    platform: 'facebook',
    post: { id: 'post', caption: '', title: '', language: 'en', film, acceptedAt },
    filmKey: 'film.mp4',
    deadlineAt: secondsAfter(acceptedAt, 900),
  },
  state,
)
await advancePosting(ids, {
  find: async () => posting,
  async write(next) {
    posting = next
    return next
  },
  findAccount: async () => account,
  accessToken: async () => ({ kind: 'token', token: 'a' }),
  markAccountExpired: async () => {},
  reportPostingEnd: async () => {},
  publisherOf: () => facebookPublisher({ graph: platform }),
  http: platformClient(),
  readRender: (key) => (from, to) => readRange(key, from, to, 60_000),
  now: () => acceptedAt,
  timeScale: 1,
})
process.stdout.write(JSON.stringify({ step: posting.state.step, maxRssKb: process.resourceUsage().maxRSS }))
