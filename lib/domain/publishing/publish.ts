/** Accepts or refuses the publication of a video and selects its accounts. The run itself is in `publish-run.ts`. */
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
import { refuseOpenJob } from '../videos/job-transitions.ts'
import { updateVideo } from '../videos/update-video.ts'
import { plans } from '../workspaces/plan.ts'
import type { Workspace } from '../workspaces/workspace.ts'

const deadlineMinutes = 15
const duplicateSeconds = 24 * 60 * 60
/** Bounds the deduplication keys in the record. */
const postsPerDayMax = 500

/** The fields of a request; absent ones come from the video. */
export interface PublishInput {
  profileId?: string | undefined
  platforms?: readonly PlatformId[] | undefined
  caption?: string | undefined
}

/** The resolved profile with its accounts, and the requested platforms. */
export interface PublishTarget {
  profile: Profile
  accounts: readonly Account[]
  platforms: readonly PlatformId[]
}

/** The checks that need no account: cheap, before anything else is read. */
export function refuseUnpublishable(workspace: Workspace, video: Video): void {
  if (!plans[workspace.planId].publishing)
    throw new Refusal('warning-plan-publish', 'The plan does not allow publishing.', { action: 'upgrade' })
  if (!video.media.renderKey)
    throw new Refusal('warning-publish-not-configured', 'The video has no render. Render it before publishing.')
  if (isOpen(video.publish)) throw new Refusal('job-in-progress', 'This video is being published already.')
  // A post cannot be undone, so do not publish a render that is about to be replaced.
  refuseOpenJob(video)
}

/** The destination of a request, completed from `own`: that of the video or of its blueprint. */
export function resolveDestination({ profileId, platforms }: PublishInput, own: Destination | undefined): Destination {
  const requested = platforms ?? own?.platforms ?? []
  if (requested.length === 0)
    throw new Refusal('warning-publish-not-configured', 'Name the platforms. This video has no default destination.', {
      details: [{ path: 'body.platforms', message: 'is missing' }],
    })
  return { profileId: profileId ?? own?.profileId ?? null, platforms: [...new Set(requested)] }
}

/** Queues the publication. Refuses all of it if it would repeat a post of the last 24 hours. */
export function requestPublish(
  workspace: Workspace,
  video: Video,
  { profile, accounts, platforms }: PublishTarget,
  input: PublishInput,
  runId: string,
  now: string,
): VideoDecision {
  refuseUnpublishable(workspace, video)
  const caption = input.caption ?? video.brief.description ?? ''
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
    results: [...healthy.map((account) => queuedResult(account)), ...expired.map((account) => expiredResult(account))],
    marks,
    error: null,
  }
  const until = secondsAfter(now, duplicateSeconds)
  const destination: Destination = { profileId: profile.id, platforms: [...platforms] }
  const after: Video = {
    ...video,
    publish: job,
    posted: { ...posted, ...Object.fromEntries(Object.values(marks).map((mark) => [mark, until])) },
    // The destination of a blueprint and its clips is changed by editing the automation.
    ...(video.isAutomation || video.parentVideoId ? {} : { destination }),
    updatedAt: now,
  }
  return { ...updateVideo(video, after, now), starts: [{ pipeline: 'publish', videoId: video.id, runId }] }
}

/** Whether its last publication, or one in the last 24 hours, was or may have been posted. */
export function wasPosted(video: Video, now: string): boolean {
  const { status, results = [] } = video.publish ?? {}
  const mayBeVisible = results.some(({ error }) => error?.code === 'publish-outcome-unknown')
  return status === 'COMPLETED' || mayBeVisible || Object.keys(recentPosts(video, now)).length > 0
}

const isHealthy = ({ health }: Account) => health === 'connected'

function renderOf({ id, media, durationSeconds, brief }: Video): PublishedRender {
  const { renderKey, thumbnailKey, bytes, film } = media
  if (!renderKey || !thumbnailKey || bytes === null)
    throw new Error(`The video ${id} has a render without thumbnail or size.`)
  const fromBrief = { ...frameSizes[brief.aspectRatio], durationMs: Math.round((durationSeconds ?? 0) * 1000) }
  return { key: renderKey, coverKey: thumbnailKey, bytes, ...(film ?? fromBrief) }
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
  `The authorization has expired for ${accounts.map(({ platform, username }) => `${username} on ${platform}`).join(', ')}.`

const queuedResult = ({ id, platform }: Account): PublishResult => ({
  accountId: id,
  platform,
  status: 'QUEUED',
  url: null,
  error: null,
})

const expiredResult = (account: Account): PublishResult => ({
  ...queuedResult(account),
  status: 'FAILED',
  error: toJobError(authExpired([account]), 'publish-failed'),
})

/**
 * Identifies a post of a video: by the platform's account id, since two profiles may share an account, and the caption. 14
 * base64url characters (84 bits) of SHA-256.
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
  const repeated = accounts.filter((account) => dedupeKeyOf(account, caption) in posted)
  if (repeated.length > 0)
    throw new Refusal(
      'warning-publish-duplicate',
      `This video was published with this caption to ${repeated.map(({ platform }) => platform).join(', ')} within the last 24 hours.`,
      { details: repeated.map(({ platform }) => ({ path: 'body.platforms', message: `${platform} has it already` })) },
    )
  if (Object.keys(posted).length + accounts.length > postsPerDayMax)
    throw new Refusal('limit-reached', `A video can be posted ${postsPerDayMax} times in 24 hours.`)
}
