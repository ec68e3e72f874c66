/** Looks after a video whose job is open: starts what never started, ends what is over. */

import { pipelineState, startPipeline } from '../aws/pipelines.ts'
import { now } from '../clock.ts'
import type { Pipeline } from '../domain/decision.ts'
import type { JobError, JobErrorCode, JobKind } from '../domain/job.ts'
import { jobError, Superseded, timeoutError } from '../domain/job.ts'
import type { Video } from '../domain/video.ts'
import { failJob, nextLookAt, openJobOf } from '../domain/video-jobs.ts'
import { log } from '../log.ts'
import type { Key } from '../store/keys.ts'
import { findVideoByKey, lookAgainAt } from '../store/videos.ts'
import { changeVideo } from './change-video.ts'

const pipelineOf: Record<JobKind, Pipeline> = { process: 'generate', render: 'render' }
const fallbackOf: Record<JobKind, JobErrorCode> = { process: 'visuals-failed', render: 'render-failed' }

export async function superviseVideo(key: Key): Promise<void> {
  const video = await findVideoByKey(key)
  const open = video && openJobOf(video)
  if (!video || !open) return
  const { kind, job } = open
  if (now() >= job.deadlineAt) return end(video, kind, job.runId, timeoutError)
  const pipeline = pipelineOf[kind]
  const state = await pipelineState(pipeline, job.runId)
  if (state === 'ended') return end(video, kind, job.runId, jobError(undefined, fallbackOf[kind]))
  if (state === 'missing') await startPipeline(video.workspaceId, { pipeline, videoId: video.id, runId: job.runId })
  await lookAgainAt(video, nextLookAt(job.deadlineAt, now()))
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
