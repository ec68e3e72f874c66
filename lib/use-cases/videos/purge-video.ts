/** Finishes the deletion of a video: its clips, runs, rows and objects. Called by the outbox dispatcher. */
import { deleteObjectsByPrefix } from '../../aws/delete-media.ts'
import { stopPipeline } from '../../aws/pipelines.ts'
import { now } from '../../clock.ts'
import { videoKeyPrefix } from '../../domain/core/artefact.ts'
import { timeoutError } from '../../domain/core/failures.ts'
import type { Purge } from '../../domain/core/outbox.ts'
import { secondsAfter, secondsBetween } from '../../domain/core/time.ts'
import { log } from '../../log.ts'
import type { Key } from '../../store/core/keys.ts'
import { deleteOutboxRow, markBegun, markPurged, redispatchAfterSeconds } from '../../store/core/outbox.ts'
import { deletePostings } from '../../store/postings.ts'
import { deleteProgress } from '../../store/progress.ts'
import { deleteScriptClaims } from '../../store/script-claims.ts'
import { deleteSlotRecords } from '../../store/slot-records.ts'
import { deleteObjectRows } from '../../store/storage-usage.ts'
import { deleteSyncJob, listSyncJobs } from '../../store/sync-jobs.ts'
import { failOpenSyncJob } from '../sync-jobs/complete-sync-job.ts'
import { removeClips } from './remove-videos.ts'

/** A worker may be storing an object during the first purge; no worker takes longer than this. */
const secondPassSeconds = 20 * 60

type PurgeRow = Purge & { workspaceId: string; createdAt: string; purgedAt?: string }

/**
 * Idempotent. Runs twice: the second pass deletes what workers were still storing during the first. A pass before both
 * leaves the clips to the request, so that its numbers are exact; the sweeper repeats it when the request has ended.
 */
export async function purgeVideo(key: Key, row: PurgeRow): Promise<void> {
  const { workspaceId, videoId, clips, runs, createdAt, purgedAt } = row
  // Also where the stream delivers the row twice: a worker may still be storing an object.
  const secondPassAt = purgedAt && secondsAfter(purgedAt, secondPassSeconds)
  if (secondPassAt && now() < secondPassAt) return
  const isRequestActive = clips > 0 && secondsBetween(createdAt, now()) < redispatchAfterSeconds
  await Promise.all(runs.map(({ pipeline, runId }) => stopPipeline(pipeline, runId)))
  if (!isRequestActive) await removeClips(workspaceId, videoId, clips)
  for (const job of await listSyncJobs(workspaceId, videoId)) {
    if (job.status === 'RUNNING') {
      await stopPipeline('act', job.runId)
      await failOpenSyncJob(job, job.runId, timeoutError)
    }
    await deleteSyncJob(job)
  }
  const deletions = [deleteObjectRows, deletePostings, deleteProgress, deleteScriptClaims, deleteSlotRecords]
  await Promise.all(deletions.map((deleteRows) => deleteRows(workspaceId, videoId)))
  await deleteObjectsByPrefix(videoKeyPrefix({ workspace: { id: workspaceId }, videoId }))
  if (isRequestActive) await markBegun(key, now())
  else if (purgedAt) await deleteOutboxRow(key)
  else await markPurged(key, now(), secondsAfter(now(), secondPassSeconds))
  log.info('video.purged', { workspaceId, videoId, finally: !isRequestActive && purgedAt !== undefined })
}
