/**
 * A fast stand-in for the pipelines: records the end of all open jobs of the clips of automations. Also copies one
 * automation into many.
 */
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import { now } from '../../lib/clock.ts'
import type { JobError } from '../../lib/domain/core/failures.ts'
import { mintId } from '../../lib/domain/core/mint-id.ts'
import { isOpen } from '../../lib/domain/core/states.ts'
import { beginPublish, endPublish } from '../../lib/domain/publishing/publish-run.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import { failJob } from '../../lib/domain/videos/job-transitions.ts'
import { table, tableName } from '../../lib/store/core/client.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { videoRow } from '../../lib/store/core/rows.ts'
import { changeVideo } from '../../lib/use-cases/videos/change-video.ts'
import { finishClip } from './given/automations.ts'

const error: JobError = { code: 'provider-unavailable', message: 'Nobody answered.', blocked: false }

/** Generates and renders, or fails to; posts, or fails to. */
export async function finishJobs({ workspaceId, id, process, render, publish }: Video, isWell = true): Promise<void> {
  const place = { workspaceId, videoId: id }
  if (isOpen(process) && isWell) await finishClip(place, id)
  else if (isOpen(process)) await changeVideo(place, (video) => failJob(video, 'process', process!.runId, error, now()))
  else if (isOpen(render)) throw new Error(`The render of ${id} was begun by somebody else.`)
  if (isOpen(publish)) await endPublication({ workspaceId, id, publish }, isWell)
}

async function endPublication(
  { workspaceId, id, publish }: Pick<Video, 'workspaceId' | 'id' | 'publish'>,
  isWell: boolean,
) {
  const place = { workspaceId, videoId: id }
  const { runId, results } = publish!
  const end = isWell
    ? { status: 'COMPLETED' as const, externalId: id, url: null }
    : { status: 'FAILED' as const, error: { ...error, code: 'publish-failed' as const } }
  await changeVideo(place, (video) => beginPublish(video, runId, now()))
  const ends = results.map(({ accountId }) => ({ accountId, end }))
  await changeVideo(place, (video) => endPublish(video, runId, ends, now()))
}

const rowsPerBatch = 24

/** Creates this many records like one, newer than it; returns their ids. */
export async function cloneVideoRows(video: Video, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => mintId('vid', now()))
  const rows = ids.flatMap((id) => [
    videoRow({ ...video, id, createdAt: now() }),
    { ...keys.usage(video.workspaceId, id), storedBytes: 0, clips: 0 },
  ])
  for (let from = 0; from < rows.length; from += rowsPerBatch) {
    const Puts = rows.slice(from, from + rowsPerBatch).map((Item) => ({ PutRequest: { Item } }))
    await table.send(new BatchWriteCommand({ RequestItems: { [tableName()]: Puts } }))
  }
  return ids
}
