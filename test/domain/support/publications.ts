/** Publications for tests of their rules: a video with a render, a profile with accounts, and ends of postings. */

import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { PostingOutcome } from '../../../lib/domain/publishing/posting.ts'
import { type PublishInput, requestPublish } from '../../../lib/domain/publishing/publish.ts'
import { beginPublish, endPublish } from '../../../lib/domain/publishing/publish-run.ts'
import type { Account } from '../../../lib/domain/records/account.ts'
import type { Profile } from '../../../lib/domain/records/profile.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { completeRender } from '../../../lib/domain/videos/complete-job.ts'
import { requestRender } from '../../../lib/domain/videos/job-transitions.ts'
import { at, decidedVideo, renderResult, videoThatIs, workspaceOn } from './videos.ts'

export const starterWorkspace = workspaceOn('starter')
export const renderedVideo = decidedVideo(
  completeRender(
    videoThatIs.rendering(decidedVideo(requestRender(starterWorkspace, videoThatIs.generated(), 'run_2', at(3)))),
    'run_2',
    0,
    renderResult,
    at(9),
  ),
)
const times = { version: 1, createdAt: at(0), updatedAt: at(0) }
export const profile: Profile = {
  id: 'prf_1',
  workspaceId: starterWorkspace.id,
  name: 'Calm',
  description: '',
  color: '#000000',
  isDefault: true,
  ...times,
}
export const accountOn = (platform: PlatformId, fields: Partial<Account> = {}): Account => ({
  id: `acc_${platform}`,
  workspaceId: starterWorkspace.id,
  profileId: profile.id,
  platform,
  version: 1,
  externalId: platform,
  username: 'calm',
  displayName: 'Calm',
  pictureUrl: null,
  settings: {},
  health: 'connected',
  connectedAt: at(0),
  updatedAt: at(0),
  ...fields,
})
export const expired = { health: 'expired' as const }

export interface PublishRequestOptions {
  video?: Video
  accounts?: Account[]
  platforms?: PlatformId[]
  input?: PublishInput
  time?: string
  runId?: string
}

/** A publish request with these values, accepted or refused. */
export function requestPublishOf({
  video = renderedVideo,
  accounts = [accountOn('tiktok')],
  platforms = ['tiktok'],
  ...rest
}: PublishRequestOptions = {}) {
  const { input = { caption: 'Calm' }, time = at(10), runId = 'run_5' } = rest
  return requestPublish(starterWorkspace, video, { profile, accounts, platforms }, input, runId, time)
}

export const postedEnd: PostingOutcome = { status: 'COMPLETED', externalId: '1', url: 'https://example.com/1' }
type FailureCode = 'publish-failed' | 'publish-outcome-unknown' | 'caption-too-long'
export const failedEnd = (code: FailureCode, message = 'No.'): PostingOutcome => ({
  status: 'FAILED',
  error: { code, message, blocked: false },
})

const threeAccounts = [accountOn('tiktok'), accountOn('youtube'), accountOn('reddit')]
const three = threeAccounts.map(({ platform }) => platform)

/** A publication to three accounts that ended with these results. */
export function publishEndedWith(ends: Partial<Record<PlatformId, PostingOutcome>>, asked: PublishRequestOptions = {}) {
  const queued = requestPublishOf({ accounts: threeAccounts, platforms: three, ...asked }).video
  const begun = beginPublish(queued, queued.publish!.runId, at(11))!.video
  const results = Object.entries(ends).map(([platform, end]) => ({ accountId: `acc_${platform}`, end }))
  return endPublish(begun, begun.publish!.runId, results, at(20))
}
