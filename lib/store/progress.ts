/**
 * The progress of running jobs: a small row for each run, because a percentage on the record would rewrite all of it.
 * Outside the version of the record, its `updatedAt` and the indexes. The store adds it to the videos that it reads; no
 * caller reads or writes these rows itself.
 */
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { now } from '../clock.ts'
import { Superseded } from '../domain/core/failures.ts'
import { type MediaJobKind, mediaJobKinds, type PaidStep, paidSteps } from '../domain/records/jobs.ts'
import type { Video } from '../domain/records/video.ts'
import { type ReportedProgress, withReported } from '../domain/videos/job-progress.ts'
import { batchGetRows } from './core/batch-get.ts'
import { table, tableName } from './core/client.ts'
import { deleteByPrefix } from './core/delete-by-prefix.ts'
import { expiryOf, type Key, keys, ttlAttribute } from './core/keys.ts'
import { conditionFailed } from './core/write-conflict.ts'

type VideoRef = Pick<Video, 'workspaceId' | 'id'>

/** Longer than any run takes: the row of a run that has ended is not read. */
const retentionSeconds = 24 * 60 * 60

const batchPrefix = 'batch#'
const paidPrefix = 'paid#'

interface ProgressRow extends Key {
  progress?: number
  statusText?: string
  batches?: number
}

/**
 * Stores the progress of a run. A lower value, and that of an attempt that was taken over, changes nothing.
 * @throws Superseded where the run has ended or another attempt has claimed it, so that the worker stops.
 */
export async function reportProgress(
  video: VideoRef,
  kind: MediaJobKind,
  run: { runId: string; attempt?: number },
  { progress, statusText }: { progress: number; statusText?: string },
): Promise<void> {
  await requireRunning(video, kind, run)
  const sets = ['progress = :progress']
  const conditions = ['(attribute_not_exists(progress) OR progress <= :progress)']
  if (statusText !== undefined) sets.push('statusText = :statusText')
  if (run.attempt !== undefined) {
    sets.push('attempt = :attempt')
    conditions.push('(attribute_not_exists(attempt) OR attempt <= :attempt)')
  }
  await update(video, run.runId, {
    UpdateExpression: `SET ${sets.join(', ')}`,
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeValues: {
      ':progress': progress,
      ...(statusText !== undefined && { ':statusText': statusText }),
      ...(run.attempt !== undefined && { ':attempt': run.attempt }),
    },
  })
}

/** Stores how many batches of segments will report their progress. Without it their reports do not count. */
export async function expectBatches(video: VideoRef, runId: string, batches: number): Promise<void> {
  await update(video, runId, {
    UpdateExpression: 'SET batches = :batches',
    ExpressionAttributeValues: { ':batches': batches },
  })
}

/**
 * Stores the percentage of a batch of segments, named by its first frame. Each batch has an attribute, so that parallel
 * and repeated batches do not overwrite or add to each other.
 * @throws Superseded where the run has ended.
 */
export async function reportBatchProgress(
  video: VideoRef,
  runId: string,
  batch: { from: number; percent: number },
): Promise<void> {
  await requireRunning(video, 'render', { runId })
  await update(video, runId, {
    UpdateExpression: 'SET #batch = :percent',
    ConditionExpression: 'attribute_not_exists(#batch) OR #batch < :percent',
    ExpressionAttributeNames: { '#batch': `${batchPrefix}${batch.from}` },
    ExpressionAttributeValues: { ':percent': batch.percent },
  })
}

/** Stores that a paid step of a run has ended. Idempotent: a repeated step is paid for once. */
export async function reportPaidStep(video: VideoRef, { runId }: { runId: string }, step: PaidStep): Promise<void> {
  await update(video, runId, {
    UpdateExpression: 'SET #step = :ended',
    ExpressionAttributeNames: { '#step': `${paidPrefix}${step}` },
    ExpressionAttributeValues: { ':ended': true },
  })
}

/** Reads only what fences the run; a read costs a fifth of the smallest write. */
async function requireRunning(
  { workspaceId, id }: VideoRef,
  kind: MediaJobKind,
  { runId, attempt }: { runId: string; attempt?: number },
): Promise<void> {
  const { Item } = await table.send(
    new GetCommand({
      TableName: tableName(),
      Key: keys.video(workspaceId, id),
      ProjectionExpression: '#job.runId, #job.#status, #job.attempt',
      ExpressionAttributeNames: { '#job': kind, '#status': 'status' },
      ConsistentRead: true,
    }),
  )
  const job: Partial<NonNullable<Video[MediaJobKind]>> | undefined = Item?.[kind]
  const isCurrent = job?.runId === runId && job.status === 'PROCESSING' && (attempt ?? job.attempt) === job.attempt
  if (!isCurrent) throw new Superseded(`Run ${runId} is no longer the open ${kind} of ${id}.`)
}

interface ProgressUpdate {
  UpdateExpression: string
  ConditionExpression?: string
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues: Record<string, unknown>
}

/** Does nothing where the condition fails. */
async function update({ workspaceId, id }: VideoRef, runId: string, change: ProgressUpdate): Promise<void> {
  try {
    await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.progress(workspaceId, id, runId),
        ...change,
        UpdateExpression: `${change.UpdateExpression}, ${ttlAttribute} = :expiry`,
        ExpressionAttributeValues: {
          ...change.ExpressionAttributeValues,
          ':expiry': expiryOf(now(), retentionSeconds),
        },
      }),
    )
  } catch (error) {
    if (!conditionFailed(error)) throw error
  }
}

/** The videos with the progress of their running jobs: one more request, and none where no job is running. */
export async function addProgress(videos: readonly Video[]): Promise<Video[]> {
  const running = videos.flatMap((video) => runningJobs(video).map(({ key }) => key))
  if (running.length === 0) return [...videos]
  const rows = (await batchGetRows(running, { ConsistentRead: true })) as unknown as ProgressRow[]
  const reports = new Map(rows.map((row) => [row.sk, reportedOf(row)]))
  return videos.map((video) => {
    const jobs = runningJobs(video).map(({ kind, job, key }) => {
      const reported = reports.get(key.sk)
      return [kind, reported ? withReported(job, reported) : job]
    })
    return { ...video, ...Object.fromEntries(jobs) }
  })
}

const runningJobs = (video: Video) =>
  mediaJobKinds.flatMap((kind) => {
    const job = video[kind]
    return job?.status === 'PROCESSING'
      ? [{ kind, job, key: keys.progress(video.workspaceId, video.id, job.runId) }]
      : []
  })

function reportedOf({ progress, statusText, batches, ...row }: ProgressRow): ReportedProgress {
  const ended = paidSteps.filter((step) => `${paidPrefix}${step}` in row)
  return {
    ...(progress !== undefined && { progress }),
    ...(statusText !== undefined && { statusText }),
    ...(batches !== undefined && { batches }),
    batchPercents: Object.entries(row).flatMap(([name, value]) => (name.startsWith(batchPrefix) ? Number(value) : [])),
    ...(ended.length > 0 && { paidSteps: ended }),
  }
}

/** Deletes the rows of a deleted video. */
export const deleteProgress = (workspaceId: string, videoId: string): Promise<void> =>
  deleteByPrefix(keys.progress(workspaceId, videoId, ''))
