/**
 * Recovers records that wait too long: starts runs that never started, fails overdue ones, repeats lost wake-ups.
 * Called by the sweeper for each due row.
 */
import { enqueueDeliveries } from '../../aws/delivery-queue.ts'
import { pipelineState, startPipeline } from '../../aws/pipelines.ts'
import { now } from '../../clock.ts'
import { isBlueprint } from '../../domain/automations/blueprint.ts'
import type { JobError, JobErrorCode } from '../../domain/core/failures.ts'
import { Superseded, timeoutError, toJobError } from '../../domain/core/failures.ts'
import { sweepDelaySeconds } from '../../domain/core/pipeline.ts'
import { earliest, secondsAfter, secondsBetween } from '../../domain/core/time.ts'
import { failureCodeOf } from '../../domain/generation/failure-stage.ts'
import type { Video } from '../../domain/records/video.ts'
import type { OpenJob } from '../../domain/videos/job-transitions.ts'
import { failJob, nextSweepAt, openJobsOf, pipelineOf } from '../../domain/videos/job-transitions.ts'
import { secondsUntilAttempt } from '../../domain/webhooks/delivery-attempts.ts'
import { log } from '../../log.ts'
import { emitMetric } from '../../metrics.ts'
import type { Key } from '../../store/core/keys.ts'
import { deliverySort, keys, syncJobPrefix, uploadSort } from '../../store/core/keys.ts'
import { findOutboxRow } from '../../store/core/outbox.ts'
import { findDeliveryByKey } from '../../store/deliveries.ts'
import { postpone } from '../../store/due-index.ts'
import { findSyncJobByKey } from '../../store/sync-jobs.ts'
import { findVideoByKey, rescheduleCheck } from '../../store/videos.ts'
import { reconcileBlueprint } from '../automations/reconcile-automation.ts'
import { finishPublish } from '../publishing/finish-publish.ts'
import { failOpenSyncJob } from '../sync-jobs/complete-sync-job.ts'
import { recoverUpload } from '../uploads/receive-upload.ts'
import { changeVideo } from '../videos/change-video.ts'
import { startRun } from '../videos/start-runs.ts'

/** `key`: of a row of the due index. */
export async function recoverStalled(key: Key): Promise<void> {
  if (key.sk === uploadSort) return recoverUpload(key)
  if (key.sk === deliverySort) return recoverDelivery(key)
  await (key.sk.startsWith(syncJobPrefix) ? recoverSyncJob(key) : recoverVideo(key))
}

async function recoverVideo(key: Key): Promise<void> {
  const video = await findVideoByKey(key)
  if (!video) return
  const nextChecks = await Promise.all(openJobsOf(video).map((open) => recoverJob(video, open)))
  // A decision sets the next check itself; a slot that waits for its clip is checked again after a delay.
  if (isBlueprint(video)) {
    if (await reconcileBlueprint(video)) return
    nextChecks.push(secondsAfter(now(), sweepDelaySeconds))
  }
  const [first, ...others] = nextChecks.filter((at) => at !== undefined)
  if (first) await rescheduleCheck(video, earliest(first, ...others))
}

/** A run that gets no permit within this time fails. */
const waitingSecondsMax = 24 * 60 * 60
const waitingCheckSeconds = 300

/** The time of the next check, or undefined where the job was ended. */
async function recoverJob(video: Video, open: OpenJob): Promise<string | undefined> {
  const { runId, deadlineAt } = open.job
  const pipeline = pipelineOf[open.kind]
  const outboxKey = keys.outbox(video.workspaceId, runId)
  const start = { pipeline, videoId: video.id, runId }
  // A run that waits for others of its workspace is neither lost nor late.
  const isWaiting = open.job.status === 'QUEUED' && (await findOutboxRow(outboxKey)) !== undefined
  if (isWaiting && now() < secondsAfter(open.job.queuedAt!, waitingSecondsMax)) {
    await startRun(video.workspaceId, start, outboxKey)
    return secondsAfter(now(), waitingCheckSeconds)
  }
  // A render whose scenes are narrated and animated first gets its time when it begins; its execution has a limit, too.
  const isUnbegunRender = open.kind === 'render' && open.job.status === 'QUEUED'
  if (isUnbegunRender && (await pipelineState(pipeline, runId)) === 'running')
    return secondsAfter(now(), sweepDelaySeconds)
  const overdue = deadlineAt === null || now() >= deadlineAt
  const state = overdue ? 'ended' : await pipelineState(pipeline, runId)
  if (state === 'ended') {
    await failStalledJob(video, open, overdue ? timeoutError : toJobError(undefined, errorCodeOf(open)))
    return undefined
  }
  if (state === 'missing') {
    await startPipeline(video.workspaceId, start)
    reportRepair({ workspaceId: video.workspaceId, videoId: video.id, runId })
  }
  return nextSweepAt(deadlineAt!, now())
}

/** The error code of a job whose execution ended without a reason. */
export function errorCodeOf(open: OpenJob): JobErrorCode {
  if (open.kind === 'process') return failureCodeOf(open.job)
  return open.kind === 'render' ? 'render-failed' : 'publish-failed'
}

/** The backoff of repeated wake-ups, proportional to the wait: a queue may be longer than a minute. */
const [wakeUpPauseSecondsMin, wakeUpPauseSecondsMax] = [300, 3_600]

async function recoverDelivery(key: Key): Promise<void> {
  const delivery = await findDeliveryByKey(key)
  if (delivery?.status !== 'pending') return
  const { workspaceId, id: deliveryId, attempts: attempt } = delivery
  // To the slow queue: a failing delivery must not delay the others.
  await enqueueDeliveries([
    { workspaceId, deliveryId, attempt, delaySeconds: secondsUntilAttempt(delivery, now()), slow: true },
  ])
  const waited = secondsBetween(delivery.nextAttemptAt ?? delivery.createdAt, now())
  emitMetric({ name: 'DeliveryLateness', value: waited })
  await postpone(key, secondsAfter(now(), Math.min(Math.max(waited, wakeUpPauseSecondsMin), wakeUpPauseSecondsMax)))
  reportRepair({ workspaceId, deliveryId })
}

async function recoverSyncJob(key: Key): Promise<void> {
  const job = await findSyncJobByKey(key)
  if (job?.status !== 'RUNNING') return
  const { workspaceId, videoId, runId, kind, target } = job
  const overdue = now() >= job.deadlineAt
  const state = await pipelineState('act', runId)
  if (state === 'missing' && !overdue) {
    await startPipeline(workspaceId, { pipeline: 'act', videoId, runId, kind, target })
    reportRepair({ workspaceId, videoId, runId })
  }
  if (state !== 'ended' && !overdue) return postpone(key, nextSweepAt(job.deadlineAt, now()))
  await failOpenSyncJob(job, runId, overdue ? timeoutError : toJobError(undefined, 'provider-unavailable'))
  reportRepair({ workspaceId, videoId, runId })
}

/** A run that has ended in the meantime (`Superseded`) needs no repair. */
async function failStalledJob(
  { workspaceId, id }: Video,
  { kind, job: { runId } }: OpenJob,
  error: JobError,
): Promise<void> {
  try {
    const run = { workspaceId, videoId: id, runId }
    if (kind === 'publish') await finishPublish(run, error)
    else await changeVideo(run, (video) => failJob(video, kind, runId, error, now()))
    reportRepair({ workspaceId, videoId: id, runId, code: error.code })
  } catch (reason) {
    if (!(reason instanceof Superseded)) throw reason
  }
}

function reportRepair(ids: Record<string, string>): void {
  log.warn('sweeper.repaired', ids)
  emitMetric({ name: 'Repairs', value: 1 })
}
