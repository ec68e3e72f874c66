/** Looks after what waits too long: starts what never started, ends what is over, wakes what was not woken. */
import { wakeDeliveries } from '../../aws/delivery-queue.ts'
import { pipelineState, startPipeline } from '../../aws/pipelines.ts'
import { now } from '../../clock.ts'
import { isBlueprint } from '../../domain/automations/blueprint.ts'
import type { JobError, JobErrorCode } from '../../domain/core/failures.ts'
import { jobError, Superseded, timeoutError } from '../../domain/core/failures.ts'
import { wakeUpSeconds } from '../../domain/core/pipeline.ts'
import { earliest, secondsAfter, secondsBetween } from '../../domain/core/time.ts'
import { failureOf } from '../../domain/generation/failure-stage.ts'
import type { Video } from '../../domain/records/video.ts'
import type { OpenJob } from '../../domain/videos/jobs.ts'
import { failJob, nextLookAt, openJobsOf, pipelineOf } from '../../domain/videos/jobs.ts'
import { secondsUntil } from '../../domain/webhooks/delivery.ts'
import { log } from '../../log.ts'
import { measure } from '../../metrics.ts'
import type { Key } from '../../store/core/keys.ts'
import { actionPrefix, deliverySort, uploadSort } from '../../store/core/keys.ts'
import { findDeliveryByKey } from '../../store/deliveries.ts'
import { postpone } from '../../store/due-index.ts'
import { findActionByKey } from '../../store/sync-jobs.ts'
import { findVideoByKey, lookAgainAt } from '../../store/videos.ts'
import { decideSlots } from '../automations/reconcile-automation.ts'
import { closePublish } from '../publishing/finish-publish.ts'
import { endAction } from '../sync-jobs/complete-sync-job.ts'
import { superviseUpload } from '../uploads/receive-upload.ts'
import { changeVideo } from '../videos/change-video.ts'

/** A waiting record, by the key that the due index gave. */
export async function supervise(key: Key): Promise<void> {
  if (key.sk === uploadSort) return superviseUpload(key)
  if (key.sk === deliverySort) return superviseDelivery(key)
  await (key.sk.startsWith(actionPrefix) ? superviseAction(key) : superviseVideo(key))
}

async function superviseVideo(key: Key): Promise<void> {
  const video = await findVideoByKey(key)
  if (!video) return
  const looks = await Promise.all(openJobsOf(video).map((open) => superviseJob(video, open)))
  // What it decides says when to look again; a slot that waits for its clip is looked at again in a while.
  if (isBlueprint(video)) {
    if (await decideSlots(video)) return
    looks.push(secondsAfter(now(), wakeUpSeconds))
  }
  const [first, ...others] = looks.filter((at) => at !== undefined)
  if (first) await lookAgainAt(video, earliest(first, ...others))
}

/** When to look at a job again, or undefined where it was ended. */
async function superviseJob(video: Video, open: OpenJob): Promise<string | undefined> {
  const { runId, deadlineAt } = open.job
  const pipeline = pipelineOf[open.kind]
  const overdue = deadlineAt === null || now() >= deadlineAt
  const state = overdue ? 'ended' : await pipelineState(pipeline, runId)
  if (state === 'ended') {
    await end(video, open, overdue ? timeoutError : jobError(undefined, faultOf(open)))
    return undefined
  }
  if (state === 'missing') {
    await startPipeline(video.workspaceId, { pipeline, videoId: video.id, runId })
    repaired({ workspaceId: video.workspaceId, videoId: video.id, runId })
  }
  return nextLookAt(deadlineAt!, now())
}

/** What a job died of that died without a word. */
function faultOf(open: OpenJob): JobErrorCode {
  if (open.kind === 'process') return failureOf(open.job)
  return open.kind === 'render' ? 'render-failed' : 'publish-failed'
}

/** A queue may be longer than the minute after which this looks. What has waited for long is woken less and less often. */
const [wakeAgainSecondsMin, wakeAgainSecondsMax] = [300, 3_600]

async function superviseDelivery(key: Key): Promise<void> {
  const delivery = await findDeliveryByKey(key)
  if (delivery?.status !== 'pending') return
  const { workspaceId, id: deliveryId, attempts: attempt } = delivery
  // Whatever is wrong with it, the others do not wait for it.
  await wakeDeliveries([{ workspaceId, deliveryId, attempt, delaySeconds: secondsUntil(delivery, now()), slow: true }])
  const waited = secondsBetween(delivery.nextAttemptAt ?? delivery.createdAt, now())
  measure({ name: 'DeliveryLateness', value: waited })
  await postpone(key, secondsAfter(now(), Math.min(Math.max(waited, wakeAgainSecondsMin), wakeAgainSecondsMax)))
  repaired({ workspaceId, deliveryId })
}

async function superviseAction(key: Key): Promise<void> {
  const action = await findActionByKey(key)
  if (action?.status !== 'RUNNING') return
  const { workspaceId, videoId, runId, kind, target } = action
  const overdue = now() >= action.deadlineAt
  const state = await pipelineState('act', runId)
  if (state === 'missing' && !overdue) {
    await startPipeline(workspaceId, { pipeline: 'act', videoId, runId, kind, target })
    repaired({ workspaceId, videoId, runId })
  }
  if (state !== 'ended' && !overdue) return postpone(key, nextLookAt(action.deadlineAt, now()))
  await endAction(action, runId, overdue ? timeoutError : jobError(undefined, 'provider-unavailable'))
  repaired({ workspaceId, videoId, runId })
}

/** The run may have ended by itself in this very moment: then there is nothing left to do. */
async function end({ workspaceId, id }: Video, { kind, job: { runId } }: OpenJob, error: JobError): Promise<void> {
  try {
    const run = { workspaceId, videoId: id, runId }
    if (kind === 'publish') await closePublish(run, error)
    else await changeVideo(run, (video) => failJob(video, kind, runId, error, now()))
    repaired({ workspaceId, videoId: id, runId, code: error.code })
  } catch (reason) {
    if (!(reason instanceof Superseded)) throw reason
  }
}

function repaired(what: Record<string, string>): void {
  log.warn('sweeper.repaired', what)
  measure({ name: 'Repairs', value: 1 })
}
