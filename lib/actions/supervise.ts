/** Looks after what waits too long: starts what never started, ends what is over, wakes what was not woken. */
import { wakeDeliveries } from '../aws/delivery-queue.ts'
import { pipelineState, startPipeline } from '../aws/pipelines.ts'
import { now } from '../clock.ts'
import type { Pipeline } from '../domain/decision.ts'
import { secondsUntil } from '../domain/delivery.ts'
import type { JobError, JobKind } from '../domain/job.ts'
import { jobError, Superseded, timeoutError } from '../domain/job.ts'
import { failureOf } from '../domain/job-stage.ts'
import { secondsAfter } from '../domain/time.ts'
import type { Video } from '../domain/video.ts'
import { failJob, nextLookAt, openJobOf } from '../domain/video-jobs.ts'
import { log } from '../log.ts'
import { findActionByKey } from '../store/actions.ts'
import { findDeliveryByKey } from '../store/deliveries.ts'
import { postpone } from '../store/due.ts'
import type { Key } from '../store/keys.ts'
import { actionPrefix, deliverySort, uploadSort } from '../store/keys.ts'
import { findVideoByKey, lookAgainAt } from '../store/videos.ts'
import { changeVideo } from './change-video.ts'
import { superviseUpload } from './receive-upload.ts'
import { endAction } from './settle.ts'

const pipelineOf = { process: 'generate', render: 'render' } as const satisfies Record<JobKind, Pipeline>

/** A waiting record, by the key that the due index gave. */
export async function supervise(key: Key): Promise<void> {
  if (key.sk === uploadSort) return superviseUpload(key)
  if (key.sk === deliverySort) return superviseDelivery(key)
  await (key.sk.startsWith(actionPrefix) ? superviseAction(key) : superviseVideo(key))
}

async function superviseVideo(key: Key): Promise<void> {
  const video = await findVideoByKey(key)
  const open = video && openJobOf(video)
  if (!video || !open) return
  const { kind, job } = open
  if (now() >= job.deadlineAt) return end(video, kind, job.runId, timeoutError)
  const pipeline = pipelineOf[kind]
  const state = await pipelineState(pipeline, job.runId)
  const fallback = open.kind === 'process' ? failureOf(open.job) : 'render-failed'
  if (state === 'ended') return end(video, kind, job.runId, jobError(undefined, fallback))
  if (state === 'missing') await startPipeline(video.workspaceId, { pipeline, videoId: video.id, runId: job.runId })
  await lookAgainAt(video, nextLookAt(job.deadlineAt, now()))
}

/** A queue may be longer than the minute after which this looks. What has waited for long is woken less and less often. */
const [wakeAgainSecondsMin, wakeAgainSecondsMax] = [300, 3_600]

async function superviseDelivery(key: Key): Promise<void> {
  const delivery = await findDeliveryByKey(key)
  if (delivery?.status !== 'pending') return
  const { workspaceId, id: deliveryId, attempts: attempt } = delivery
  // Whatever is wrong with it, the others do not wait for it.
  await wakeDeliveries([{ workspaceId, deliveryId, attempt, delaySeconds: secondsUntil(delivery, now()), slow: true }])
  const waited = (Date.parse(now()) - Date.parse(delivery.nextAttemptAt ?? delivery.createdAt)) / 1000
  await postpone(key, secondsAfter(now(), Math.min(Math.max(waited, wakeAgainSecondsMin), wakeAgainSecondsMax)))
  log.warn('sweeper.repaired', { workspaceId, deliveryId })
}

async function superviseAction(key: Key): Promise<void> {
  const action = await findActionByKey(key)
  if (action?.status !== 'RUNNING') return
  const { workspaceId, videoId, runId, kind, target } = action
  const overdue = now() >= action.deadlineAt
  const state = await pipelineState('act', runId)
  if (state === 'missing' && !overdue)
    await startPipeline(workspaceId, { pipeline: 'act', videoId, runId, kind, target })
  if (state !== 'ended' && !overdue) return postpone(key, nextLookAt(action.deadlineAt, now()))
  await endAction(action, runId, overdue ? timeoutError : jobError(undefined, 'provider-unavailable'))
  log.warn('sweeper.repaired', { workspaceId, videoId, runId })
}

/** The run may have ended by itself in this very moment: then there is nothing left to do. */
async function end({ workspaceId, id }: Video, kind: JobKind, runId: string, error: JobError): Promise<void> {
  try {
    await changeVideo({ workspaceId, videoId: id }, (video) => failJob(video, kind, runId, error, now()))
    log.warn('sweeper.repaired', { workspaceId, videoId: id, runId, code: error.code })
  } catch (reason) {
    if (!(reason instanceof Superseded)) throw reason
  }
}
