/** A publication that was accepted: how its run is claimed, and how what came of its posts ends it. */

import type { JobError } from '../core/failures.ts'
import { toJobError } from '../core/failures.ts'
import { canTransition, isOpen } from '../core/states.ts'
import type { VideoDecision } from '../records/decision.ts'
import { newEvent } from '../records/event.ts'
import type { PublishJob, PublishResult } from '../records/jobs.ts'
import type { Video } from '../records/video.ts'
import { requireOpenJob } from '../videos/jobs.ts'
import { updateVideo } from '../videos/update-video.ts'
import type { PostingOutcome } from './posting.ts'

/** Claims a publication: QUEUED to PROCESSING. A repeat of the same wake-up finds it claimed and changes nothing. */
export function beginPublish(video: Video, runId: string, now: string): VideoDecision | undefined {
  const job = requireOpenJob(video, 'publish', runId)
  if (!canTransition(job.status, 'PROCESSING')) return undefined
  const results = job.results.map((result) =>
    result.status === 'QUEUED' ? { ...result, status: 'PROCESSING' as const } : result,
  )
  const publish: PublishJob = { ...job, status: 'PROCESSING', startedAt: now, results }
  return updateVideo(video, { ...video, publish, updatedAt: now }, now)
}

/**
 * Accepted and claimed in one: whoever asks for a publication is told that it is under way, and so is everybody else from then on. Its
 * pipeline finds it claimed.
 */
export function withPublishBegun(accepted: VideoDecision, runId: string, now: string): VideoDecision {
  const { publish } = beginPublish(accepted.video, runId, now)?.video ?? accepted.video
  const video: Video = { ...accepted.video, publish }
  const changes = accepted.changes.map((change) =>
    change.record === 'video' && change.after ? { ...change, after: video } : change,
  )
  return { ...accepted, video, changes }
}

/**
 * Ends a publication with how each post ended; an account without an end was never posted to. One that was reached is success; what
 * surely has not appeared may be published again at once.
 */
export function endPublish(
  video: Video,
  runId: string,
  ends: readonly { accountId: string; end: PostingOutcome }[],
  now: string,
): VideoDecision {
  const job = requireOpenJob(video, 'publish', runId)
  const endOf = new Map(ends.map(({ accountId, end }) => [accountId, end]))
  const results = job.results.map((result) =>
    isOpen(result) ? endedResult(result, endOf.get(result.accountId)) : result,
  )
  const reached = results.filter(({ status }) => status === 'COMPLETED').map(({ platform }) => platform)
  const error = reached.length > 0 ? null : errorOf(results)
  const publish: PublishJob = {
    ...job,
    status: error ? 'FAILED' : 'COMPLETED',
    publishedAt: error ? null : now,
    failedAt: error ? now : null,
    platforms: reached,
    unhealthyPlatforms: results
      .filter(({ error: one }) => one?.code === 'warning-publish-auth')
      .map((one) => one.platform),
    results,
    error,
  }
  const after = { ...video, publish, posted: withoutUnposted(video, publish), updatedAt: now }
  const event = error
    ? newEvent('video.publish_failed', { video: after, error }, runId, now)
    : newEvent('video.published', { video: after, platforms: reached }, runId, now)
  return { ...updateVideo(video, after, now), events: [event] }
}

/** Without an end it was never posted to. */
export function endedResult(result: PublishResult, end: PostingOutcome | undefined): PublishResult {
  if (end?.status === 'COMPLETED') return { ...result, status: 'COMPLETED', url: end.url }
  return { ...result, status: 'FAILED', error: end?.error ?? toJobError(undefined, 'publish-failed') }
}

const isUnknown = ({ error }: PublishResult) => error?.code === 'publish-outcome-unknown'

/** Of a publication that reached nobody. Doubt comes first: whoever reads it must not simply try again. */
function errorOf(results: readonly PublishResult[]): JobError {
  const errors = results.flatMap(({ error }) => error ?? [])
  const unknown = results.find(isUnknown)?.error
  const [first] = errors
  if (unknown) return unknown
  const shared = first && errors.every(({ code }) => code === first.code) ? first : undefined
  if (shared && errors.every(({ message }) => message === shared.message)) return shared
  const reasons = results.map(({ platform, error }) => `${platform}: ${error?.message ?? ''}`)
  return { ...(shared ?? { code: 'publish-failed', blocked: false }), message: reasons.join(' ') }
}

/** The marks of posts, without those of this run that surely did not appear. What it never tried may be there from a run before. */
function withoutUnposted({ posted = {} }: Video, { results, marks = {} }: PublishJob) {
  const unposted = results.filter((result) => result.status === 'FAILED' && !isUnknown(result))
  const gone = new Set(unposted.map(({ accountId }) => marks[accountId]))
  return Object.fromEntries(Object.entries(posted).filter(([mark]) => !gone.has(mark)))
}
