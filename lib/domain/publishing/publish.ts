/** Publishing a video: what is asked for and refused, and which accounts are posted to. How it runs and ends is in `publish-run.ts`. */
import { createHash } from 'node:crypto'
import { toJobError } from '../core/failures.ts'
import type { PlatformId } from '../core/platform.ts'
import { Refusal } from '../core/refusal.ts'
import { isOpen } from '../core/states.ts'
import { secondsAfter } from '../core/time.ts'
import type { Account } from '../records/account.ts'
import { frameSizes } from '../records/brief.ts'
import type { VideoDecision } from '../records/decision.ts'
import type { PublishedRender, PublishJob, PublishResult } from '../records/jobs.ts'
import type { Destination, Profile } from '../records/profile.ts'
import type { Video } from '../records/video.ts'
import { refuseOpenJob } from '../videos/jobs.ts'
import { updateVideo } from '../videos/update-video.ts'
import { plans } from '../workspaces/plan.ts'
import type { Workspace } from '../workspaces/workspace.ts'

const deadlineMinutes = 15
const duplicateSeconds = 24 * 60 * 60
/** Posts of one video that are remembered: the record that remembers them stays small. */
const postsPerDayMax = 500

/** What a request names; what it does not is the video's own. */
export interface PublishInput {
  profileId?: string | undefined
  platforms?: readonly PlatformId[] | undefined
  caption?: string | undefined
}

/** Where it goes: the profile as it is, and which of the requested platforms it reaches. */
export interface PublishTarget {
  profile: Profile
  accounts: readonly Account[]
  platforms: readonly PlatformId[]
}

/** Refuses what no account could change. Cheap, and before anything else is read. */
export function refuseUnpublishable(workspace: Workspace, video: Video): void {
  if (!plans[workspace.planId].publishing)
    throw new Refusal('warning-plan-publish', 'The plan does not allow publishing.', { action: 'upgrade' })
  if (!video.media.renderKey)
    throw new Refusal('warning-publish-not-configured', 'Render the video before publishing it: it has no film.')
  if (isOpen(video.publish)) throw new Refusal('job-in-progress', 'This video is being published already.')
  // What is published cannot be taken back: nobody means the film that is about to be replaced.
  refuseOpenJob(video)
}

/** The destination of a request: what it names, filled up with `own`, which is that of the video or of its blueprint. */
export function resolveDestination({ profileId, platforms }: PublishInput, own: Destination | undefined): Destination {
  const wanted = platforms ?? own?.platforms ?? []
  if (wanted.length === 0)
    throw new Refusal(
      'warning-publish-not-configured',
      'Name the platforms: this video has no destination of its own.',
      {
        details: [{ path: 'body.platforms', message: 'is missing' }],
      },
    )
  return { profileId: profileId ?? own?.profileId ?? null, platforms: [...new Set(wanted)] }
}

/** Queues the publication. Refused as a whole where it would repeat a post of the last 24 hours. */
export function requestPublish(
  workspace: Workspace,
  video: Video,
  { profile, accounts, platforms }: PublishTarget,
  wish: PublishInput,
  runId: string,
  now: string,
): VideoDecision {
  refuseUnpublishable(workspace, video)
  const caption = wish.caption ?? video.brief.description ?? ''
  const found = accounts.filter(({ platform }) => platforms.includes(platform))
  const [healthy, expired] = [found.filter(isHealthy), found.filter((account) => !isHealthy(account))]
  if (found.length === 0) throw noAccounts(profile, platforms)
  if (healthy.length === 0) throw authExpired(expired)
  const posted = recentPosts(video, now)
  refuseDuplicatePost(healthy, caption, posted)
  const marks = Object.fromEntries(healthy.map((account) => [account.id, dedupeKeyOf(account, caption)]))
  const job: PublishJob = {
    runId,
    status: 'QUEUED',
    scheduledAt: video.publish?.status === 'SCHEDULED' ? video.publish.scheduledAt : null,
    queuedAt: now,
    startedAt: null,
    publishedAt: null,
    failedAt: null,
    deadlineAt: secondsAfter(now, deadlineMinutes * 60),
    profileId: profile.id,
    film: renderOf(video),
    platforms: [],
    missingPlatforms: platforms.filter((platform) => !found.some((account) => account.platform === platform)),
    unhealthyPlatforms: expired.map(({ platform }) => platform),
    caption,
    results: [...healthy.map((account) => waiting(account)), ...expired.map((account) => unreachable(account))],
    marks,
    error: null,
  }
  const until = secondsAfter(now, duplicateSeconds)
  const destination: Destination = { profileId: profile.id, platforms: [...platforms] }
  const after: Video = {
    ...video,
    publish: job,
    posted: { ...posted, ...Object.fromEntries(Object.values(marks).map((mark) => [mark, until])) },
    // A blueprint's and its clips' destination is changed by whoever edits the automation.
    ...(video.isAutomation || video.parentVideoId ? {} : { destination }),
    updatedAt: now,
  }
  return { ...updateVideo(video, after, now), starts: [{ pipeline: 'publish', videoId: video.id, runId }] }
}

/** Whether it was posted when it was published last, or in the last 24 hours; or may have been. */
export function wasPosted(video: Video, now: string): boolean {
  const { status, results = [] } = video.publish ?? {}
  const mayBeThere = results.some(({ error }) => error?.code === 'publish-outcome-unknown')
  return status === 'COMPLETED' || mayBeThere || Object.keys(recentPosts(video, now)).length > 0
}

const isHealthy = ({ health }: Account) => health === 'connected'

function renderOf({ id, media, durationSeconds, brief }: Video): PublishedRender {
  const { renderKey, thumbnailKey, bytes, film } = media
  if (!renderKey || !thumbnailKey || bytes === null) throw new Error(`The facts of the film of ${id} are missing.`)
  const asTheVideo = { ...frameSizes[brief.aspectRatio], durationMs: Math.round((durationSeconds ?? 0) * 1000) }
  return { key: renderKey, coverKey: thumbnailKey, bytes, ...(film ?? asTheVideo) }
}

const noAccounts = (profile: Profile, platforms: readonly PlatformId[]) =>
  new Refusal(
    'warning-publish-no-accounts',
    `The profile ${profile.name} has no connected account on ${platforms.join(', ')}.`,
    { action: 'connect' },
  )

const authExpired = (accounts: readonly Account[]) =>
  new Refusal('warning-publish-auth', `${expiredMessage(accounts)} Connect again.`, { action: 'connect' })

const expiredMessage = (accounts: readonly Account[]) =>
  `The authorization has expired of ${accounts.map(({ platform, username }) => `${username} on ${platform}`).join(', ')}.`

const waiting = ({ id, platform }: Account): PublishResult => ({
  accountId: id,
  platform,
  status: 'QUEUED',
  url: null,
  error: null,
})

const unreachable = (account: Account): PublishResult => ({
  ...waiting(account),
  status: 'FAILED',
  error: toJobError(authExpired([account]), 'publish-failed'),
})

/**
 * What tells a post from another of the same video: the account as its platform knows it, which two profiles may have in common, and the
 * words. 80 bits of SHA-256.
 */
const dedupeKeyOf = ({ platform, externalId }: Account, caption: string) =>
  createHash('sha256')
    .update(JSON.stringify([platform, externalId, caption]))
    .digest('base64url')
    .slice(0, 14)

/** The posts of the last 24 hours. */
const recentPosts = ({ posted = {} }: Video, now: string) =>
  Object.fromEntries(Object.entries(posted).filter(([, until]) => now < until))

function refuseDuplicatePost(accounts: readonly Account[], caption: string, posted: Record<string, string>): void {
  const again = accounts.filter((account) => dedupeKeyOf(account, caption) in posted)
  if (again.length > 0)
    throw new Refusal(
      'warning-publish-duplicate',
      `This video was published with this caption to ${again.map(({ platform }) => platform).join(', ')} within the last 24 hours.`,
      { details: again.map(({ platform }) => ({ path: 'body.platforms', message: `${platform} has it already` })) },
    )
  if (Object.keys(posted).length + accounts.length > postsPerDayMax)
    throw new Refusal('limit-reached', `A video can be posted ${postsPerDayMax} times in 24 hours.`)
}
