/** The run of an accepted publication: claimed by its pipeline, ended by the outcomes of its postings. */

import type { JobError } from '../core/failures.ts'
import { toJobError } from '../core/failures.ts'
import { canTransition, isOpen } from '../core/states.ts'
import type { VideoDecision } from '../records/decision.ts'
import { newEvent } from '../records/event.ts'
import type { PublishJob, PublishResult } from '../records/jobs.ts'
import type { Video } from '../records/video.ts'
import { requireOpenJob } from '../videos/job-transitions.ts'
import { updateVideo } from '../videos/update-video.ts'
import type { PostingOutcome } from './posting.ts'

/** Claims a publication: QUEUED to PROCESSING. Undefined if it is claimed already, so that a repeat changes nothing. */
export function beginPublish(video: Video, runId: string, now: string): VideoDecision | undefined {
  const job = requireOpenJob(video, 'publish', runId)
  if (!canTransition(job.status, 'PROCESSING')) return undefined
  const results = job.results.map((result) =>
    result.status === 'QUEUED' ? { ...result, status: 'PROCESSING' as const } : result,
  )
  const publish: PublishJob = { ...job, status: 'PROCESSING', startedAt: now, results }
  return updateVideo(video, { ...video, publish, updatedAt: now }, now)
}

/** Accepts and claims a publication in one decision: the response and all later reads show it as running. */
export function withPublishBegun(accepted: VideoDecision, runId: string, now: string): VideoDecision {
  const { publish } = beginPublish(accepted.video, runId, now)?.video ?? accepted.video
  const video: Video = { ...accepted.video, publish }
  const changes = accepted.changes.map((change) =>
    change.record === 'video' && change.after ? { ...change, after: video } : change,
  )
  return { ...accepted, video, changes }
}

/**
 * Ends a publication with the outcome of each posting; one without an outcome was never sent. It succeeds if one account was
 * reached. A post that is definitely not visible may be published again at once.
 */
export function endPublish(
  video: Video,
  runId: string,
  ends: readonly { accountId: string; end: PostingOutcome }[],
  now: string,
): VideoDecision {
  const job = requireOpenJob(video, 'publish', runId)
  const outcomes = new Map(ends.map(({ accountId, end }) => [accountId, end]))
  const results = job.results.map((result) =>
    isOpen(result) ? endedResult(result, outcomes.get(result.accountId)) : result,
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

/** The final result of an account; without an outcome nothing was sent. */
export function endedResult(result: PublishResult, outcome: PostingOutcome | undefined): PublishResult {
  if (outcome?.status === 'COMPLETED') return { ...result, status: 'COMPLETED', url: outcome.url }
  return { ...result, status: 'FAILED', error: outcome?.error ?? toJobError(undefined, 'publish-failed') }
}

const isUnknown = ({ error }: PublishResult) => error?.code === 'publish-outcome-unknown'

/** The error of a publication that reached no account. An unknown outcome has priority: the client must not simply retry. */
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

/** The deduplication keys without those of this run's definitely failed posts. Keys of other runs stay. */
function withoutUnposted({ posted = {} }: Video, { results, marks = {} }: PublishJob) {
  const unposted = results.filter((result) => result.status === 'FAILED' && !isUnknown(result))
  const removed = new Set(unposted.map(({ accountId }) => marks[accountId]))
  return Object.fromEntries(Object.entries(posted).filter(([mark]) => !removed.has(mark)))
}
