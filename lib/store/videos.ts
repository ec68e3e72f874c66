/** Videos by id and as pages of a list, and the updates of their jobs outside a decision. */

import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { Superseded } from '../domain/core/failures.ts'
import type { ListPosition } from '../domain/core/outbox.ts'
import type { PageRange } from '../domain/core/page.ts'
import { notFound } from '../domain/core/refusal.ts'
import { type VideoStatus, videoStatus } from '../domain/core/states.ts'
import type { MediaJobKind } from '../domain/records/jobs.ts'
import type { Video } from '../domain/records/video.ts'
import type { ListedVideo } from '../domain/videos/video-index.ts'
import { batchGetRows } from './core/batch-get.ts'
import { table, tableName } from './core/client.ts'
import type { Key } from './core/keys.ts'
import { dueIndex, keys, listPartitions } from './core/keys.ts'
import { listRows, mergeLists } from './core/list-index.ts'
import { videoOf } from './core/rows.ts'
import { conditionFailed } from './core/write-conflict.ts'
import { addProgress } from './progress.ts'

/** A video by id; `not-found` where it was deleted or belongs to another workspace. */
export async function getVideo(workspaceId: string, videoId: string): Promise<Video> {
  const video = await findVideo(workspaceId, videoId)
  if (!video) throw notFound('video')
  return video
}

/** Undefined where it was deleted or belongs to another workspace. */
export const findVideo = (workspaceId: string, videoId: string): Promise<Video | undefined> =>
  findVideoByKey(keys.video(workspaceId, videoId))

/** By the key of a row of the due index. */
export async function findVideoByKey({ pk, sk }: Key): Promise<Video | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: { pk, sk }, ConsistentRead: true }))
  return Item && (await addProgress([videoOf(Item)]))[0]
}

export type ListRow = ListedVideo & Key

/**
 * One page of the list, newest activity first, and the total. The total comes from the counters of the workspace
 * (`<type>#<status>`), and reading stops at the end of the page, so that the cost does not grow with the number of
 * videos.
 */
export async function listVideos(
  workspaceId: string,
  counts: Record<string, number>,
  filters: { type?: Video['type'] | undefined; status?: VideoStatus | undefined },
  { limit, offset }: PageRange,
): Promise<{ videos: Video[]; total: number }> {
  const lists = matchingLists(workspaceId, counts, filters)
  const total = countMatching(counts, filters)
  const wanted = Math.max(Math.min(limit, total - offset), 0)
  const partitions = lists.map(({ name, count }) => ({ name, pageSize: shareOf(count, total, offset + wanted) }))
  const rows = newestOf(partitions)
  if (wanted > 0) await nextIds(rows, offset)
  const videos: Video[] = []
  while (videos.length < wanted) {
    const ids = await nextIds(rows, wanted - videos.length)
    if (ids.length === 0) break
    // The index is eventually consistent: a video that was deleted or has left the filters is replaced by the next.
    videos.push(...(await getVideos(workspaceId, ids)).filter((video) => isOfKind(video, filters)))
  }
  return { videos, total }
}

const isOfKind = (video: Video, { type, status }: { type?: string | undefined; status?: string | undefined }) =>
  (type ?? video.type) === video.type && (status ?? videoStatus(video)) === videoStatus(video)

/** The ids of the next `count` rows; fewer at the end of the list. */
async function nextIds(rows: AsyncGenerator<ListedVideo>, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const { done, value } = await rows.next()
    if (done) break
    ids.push(value.id)
  }
  return ids
}

/** The lists that the filters select, with the number of their videos; without empty ones. */
export function matchingLists(
  workspaceId: string,
  counts: Record<string, number>,
  { type, status }: { type?: string | undefined; status?: string | undefined },
) {
  return Object.entries(counts).flatMap(([name, count]) => {
    const [ofType = '', ofStatus = ''] = name.split('#')
    const fits = count > 0 && (type ?? ofType) === ofType && (status ?? ofStatus) === ofStatus
    return fits ? [{ name: listPartitions.videos(workspaceId, ofType, ofStatus), count }] : []
  })
}

/** The number of videos that the filters select, by the counters. */
export const countMatching = (
  counts: Record<string, number>,
  filters: { type?: string | undefined; status?: string | undefined },
): number => matchingLists('', counts, filters).reduce((sum, { count }) => sum + count, 0)

/** Rows of several lists without duplicates: a video that moves between two lists may appear in both for a moment. */
async function* newestOf(lists: { name: string; pageSize: number }[]): AsyncGenerator<ListedVideo> {
  const seen = new Set<string>()
  for await (const { pk: _pk, sk: _sk, ...row } of mergeLists<ListRow>(lists)) {
    if (!seen.has(row.id)) yield row
    seen.add(row.id)
  }
}

/** This many rows fill a megabyte, where DynamoDB ends a page anyway. */
const rowsPerQueryMax = 1_000
/** Eight rows fit into the smallest read unit. */
const rowsPerQueryMin = 8

/** The page size of a list: its expected share of the wanted rows. */
const shareOf = (count: number, total: number, wanted: number) =>
  Math.min(Math.max(Math.ceil((wanted * count) / total), rowsPerQueryMin), rowsPerQueryMax)

/** Clips of a video, newest first. */
export async function listClips(workspaceId: string, videoId: string, { limit, offset }: PageRange): Promise<Video[]> {
  return pageOf(workspaceId, listPartitions.clips(workspaceId, videoId), { limit, offset })
}

/** Blueprints of a workspace, newest first. */
export async function listAutomations(workspaceId: string, { limit, offset }: PageRange): Promise<Video[]> {
  return pageOf(workspaceId, listPartitions.automations(workspaceId), { limit, offset })
}

/**
 * Cursor pagination: the next `count` blueprints after a position, newest first, and `last`, the next cursor, where
 * there may be more. No blueprint is skipped, whatever is created or deleted in between.
 */
export async function listAutomationsAfter(
  workspaceId: string,
  after: ListPosition | undefined,
  count: number,
): Promise<{ videos: Video[]; last: ListPosition | undefined }> {
  const from = after && { ...keys.video(workspaceId, after.id), listSk: after.listSk }
  const rows = await firstRows(listPartitions.automations(workspaceId), count, from)
  const last = rows[count - 1]
  return { videos: await getVideos(workspaceId, idsOf(rows)), last: last && { id: last.id, listSk: last.listSk } }
}

async function pageOf(workspaceId: string, list: string, { limit, offset }: PageRange): Promise<Video[]> {
  return getVideos(workspaceId, idsOf(await firstRows(list, offset + limit)).slice(offset))
}

async function firstRows(list: string, count: number, after?: Key & { listSk: string }): Promise<ListRow[]> {
  const rows: ListRow[] = []
  for await (const row of listRows<ListRow>(list, Math.min(count, rowsPerQueryMax), undefined, after)) {
    rows.push(row)
    if (rows.length >= count) break
  }
  return rows
}

const idsOf = (rows: readonly ListRow[]) => rows.map(({ id }) => id)

/** The ids of all clips of a video. */
export async function listClipIds(workspaceId: string, videoId: string): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of listRows<ListRow>(listPartitions.clips(workspaceId, videoId))) ids.push(id)
  return ids
}

/** Records by id, in this order, without deleted ones. */
export async function getVideos(workspaceId: string, ids: readonly string[]): Promise<Video[]> {
  const rows = await batchGetRows(ids.map((id) => keys.video(workspaceId, id)))
  const videos = await addProgress(rows.map(videoOf))
  const found = new Map(videos.map((video) => [video.id, video]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** Stores the status text of a queued run, outside the version of the record; does nothing where the run has started. */
export async function setWaitingText(
  video: Pick<Video, 'workspaceId' | 'id'>,
  kind: MediaJobKind,
  runId: string,
  text: string,
): Promise<void> {
  try {
    await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.video(video.workspaceId, video.id),
        UpdateExpression: 'SET #job.statusText = :text',
        ConditionExpression:
          '#job.runId = :run AND #job.#status = :queued AND (attribute_not_exists(#job.statusText) OR #job.statusText <> :text)',
        ExpressionAttributeNames: { '#job': kind, '#status': 'status' },
        ExpressionAttributeValues: { ':run': runId, ':queued': 'QUEUED', ':text': text },
      }),
    )
  } catch (error) {
    if (!conditionFailed(error)) throw error
  }
}

/**
 * Claims the next attempt of a run and returns the record with its number: the next write of any earlier worker fails.
 */
export async function claimAttempt(
  workspaceId: string,
  videoId: string,
  kind: MediaJobKind,
  runId: string,
  status: 'QUEUED' | 'PROCESSING' = 'PROCESSING',
): Promise<Video> {
  try {
    const { Attributes } = await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.video(workspaceId, videoId),
        UpdateExpression: 'SET #job.attempt = #job.attempt + :one, #version = #version + :one',
        ConditionExpression: '#job.runId = :run AND #job.#status = :status',
        ExpressionAttributeNames: { '#job': kind, '#status': 'status', '#version': 'version' },
        ExpressionAttributeValues: { ':run': runId, ':status': status, ':one': 1 },
        ReturnValues: 'ALL_NEW',
      }),
    )
    return videoOf(Attributes!)
  } catch (error) {
    if (!conditionFailed(error)) throw error
    throw new Superseded(`Run ${runId} is no longer the open ${kind} of ${videoId}.`)
  }
}

/**
 * Sets the next check of the sweeper, unless the video has changed since it was read: then the next sweep checks it
 * again.
 */
export async function rescheduleCheck(video: Video, dueAt: string): Promise<void> {
  try {
    await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.video(video.workspaceId, video.id),
        UpdateExpression: 'SET dueAt = :at, #sort = :sort',
        ConditionExpression: '#version = :seen',
        ExpressionAttributeNames: { '#version': 'version', '#sort': dueIndex.sort },
        ExpressionAttributeValues: { ':at': dueAt, ':sort': `${dueAt}#${video.id}`, ':seen': video.version },
      }),
    )
  } catch (error) {
    if (!conditionFailed(error)) throw error
  }
}
