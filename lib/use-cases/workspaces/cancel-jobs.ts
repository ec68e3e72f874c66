/** Ends every open job of a workspace, with its credits released. Called when a workspace is suspended. */
import { stopPipeline } from '../../aws/pipelines.ts'
import { now } from '../../clock.ts'
import { type JobError, Superseded } from '../../domain/core/failures.ts'
import type { Video } from '../../domain/records/video.ts'
import { failJob, type OpenJob, openJobsOf, pipelineOf } from '../../domain/videos/job-transitions.ts'
import type { Key } from '../../store/core/keys.ts'
import { keys, syncJobPrefix } from '../../store/core/keys.ts'
import { deleteOutboxRow } from '../../store/core/outbox.ts'
import { listOpenJobs } from '../../store/due-index.ts'
import { findSyncJobByKey } from '../../store/sync-jobs.ts'
import { findVideoByKey } from '../../store/videos.ts'
import { finishPublish } from '../publishing/finish-publish.ts'
import { errorCodeOf } from '../recovery/recover-stalled.ts'
import { failOpenSyncJob } from '../sync-jobs/complete-sync-job.ts'
import { changeVideo } from '../videos/change-video.ts'

/** Idempotent: returns how many jobs it ended. `message` is their error. */
export async function cancelJobs(workspaceId: string, message: string): Promise<number> {
  let ended = 0
  for (const key of await listOpenJobs(workspaceId))
    ended += await (key.sk.startsWith(syncJobPrefix) ? cancelSyncJob(key, message) : cancelVideoJobs(key, message))
  return ended
}

async function cancelVideoJobs(key: Key, message: string): Promise<number> {
  const video = await findVideoByKey(key)
  const open = video ? openJobsOf(video) : []
  for (const job of open) await cancelJob(video!, job, { code: errorCodeOf(job), message, blocked: true })
  return open.length
}

/** A post that may have appeared ends with an unknown outcome, as after a timeout. */
async function cancelJob(
  { workspaceId, id: videoId }: Video,
  { kind, job: { runId } }: OpenJob,
  error: JobError,
): Promise<void> {
  const run = { workspaceId, videoId, runId }
  await stopPipeline(pipelineOf[kind], runId)
  await deleteOutboxRow(keys.outbox(workspaceId, runId))
  try {
    if (kind === 'publish') await finishPublish(run, error)
    else await changeVideo(run, (video) => failJob(video, kind, runId, error, now()))
  } catch (reason) {
    if (!(reason instanceof Superseded)) throw reason
  }
}

async function cancelSyncJob(key: Key, message: string): Promise<number> {
  const job = await findSyncJobByKey(key)
  if (job?.status !== 'RUNNING') return 0
  await stopPipeline('act', job.runId)
  await deleteOutboxRow(keys.outbox(job.workspaceId, job.runId))
  await failOpenSyncJob(job, job.runId, { code: 'provider-unavailable', message, blocked: true })
  return 1
}
