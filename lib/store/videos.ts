/** Videos: one by one, and as pages of a list. */
import { BatchGetCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { JobKind } from '../domain/job.ts'
import { Superseded } from '../domain/job.ts'
import { notFound } from '../domain/refusal.ts'
import type { VideoStatus } from '../domain/states.ts'
import type { Video } from '../domain/video.ts'
import { table, tableName } from './client.ts'
import { conditionFailed } from './failures.ts'
import type { Key } from './keys.ts'
import { dueIndex, keys, listPartitions } from './keys.ts'
import { listRows } from './lists.ts'
import { videoOf } from './rows.ts'

/** A video by id. Another workspace's video is not found, like one that never was. */
export async function getVideo(workspaceId: string, videoId: string): Promise<Video> {
  const { Item } = await table.send(
    new GetCommand({ TableName: tableName(), Key: keys.video(workspaceId, videoId), ConsistentRead: true }),
  )
  if (!Item) throw notFound('record')
  return videoOf(Item)
}

/** The video in a row that the due index named, or undefined where it is gone. */
export async function findVideoByKey({ pk, sk }: Key): Promise<Video | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: { pk, sk }, ConsistentRead: true }))
  return Item && videoOf(Item)
}

export interface VideoFilters {
  type?: Video['type'] | undefined
  subType?: string | undefined
  status?: VideoStatus | undefined
  /** Part of the title, in any case. */
  search?: string | undefined
}

interface ListRow {
  pk: string
  sk: string
  type: Video['type']
  subType: string | null
  status: VideoStatus
  searchTitle: string
}

/**
 * One page of the list, newest activity first, and how many videos the filters select. Without `subType` and `search` the
 * total comes from the workspace's counters and reading stops with the page; those two need all narrow rows.
 */
export async function listVideos(
  workspaceId: string,
  counts: Record<string, number>,
  filters: VideoFilters,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ videos: Video[]; total: number }> {
  const counted = filters.subType === undefined && filters.search === undefined
  const total = counted ? countOf(counts, filters) : undefined
  const wanted = Math.min(offset + limit, total ?? Number.POSITIVE_INFINITY)
  const selected: ListRow[] = []
  // Where every row is selected, no more are read than the page needs.
  const pageSize = counted && isEmpty(filters) ? Math.min(wanted, rowsPerQueryMax) : undefined
  if (total === undefined || offset < total)
    for await (const row of listRows<ListRow>(listPartitions.videos(workspaceId), pageSize)) {
      if (isSelected(row, filters)) selected.push(row)
      if (counted && selected.length >= wanted) break
    }
  return { videos: await getAll(selected.slice(offset, offset + limit)), total: total ?? selected.length }
}

/** More rows than this fill a megabyte, which ends a query anyway. */
const rowsPerQueryMax = 1_000

const isEmpty = (filters: VideoFilters) => Object.values(filters).every((value) => value === undefined)

function isSelected(row: ListRow, { type, subType, status, search }: VideoFilters): boolean {
  if (type !== undefined && row.type !== type) return false
  if (subType !== undefined && row.subType !== subType) return false
  if (status !== undefined && row.status !== status) return false
  return search === undefined || row.searchTitle.includes(search.toLowerCase())
}

function countOf(counts: Record<string, number>, { type, status }: VideoFilters): number {
  return Object.entries(counts).reduce((total, [name, count]) => {
    const [countedType, countedStatus] = name.split('#')
    const matches = (type === undefined || countedType === type) && (status === undefined || countedStatus === status)
    return matches ? total + count : total
  }, 0)
}

/** The records of a page, in its order; one that was deleted since the index was read is left out. */
async function getAll(page: { pk: string; sk: string }[]): Promise<Video[]> {
  const found = new Map<string, Video>()
  let wanted = page.map(({ pk, sk }) => ({ pk, sk }))
  while (wanted.length > 0) {
    const { Responses, UnprocessedKeys } = await table.send(
      new BatchGetCommand({ RequestItems: { [tableName()]: { Keys: wanted } } }),
    )
    for (const item of Responses?.[tableName()] ?? []) found.set(item.pk, videoOf(item))
    wanted = (UnprocessedKeys?.[tableName()]?.Keys ?? []) as typeof wanted
  }
  return page.flatMap(({ pk }) => found.get(pk) ?? [])
}

/**
 * Tells how far a run is, outside the version of the record, its `updatedAt` and the indexes. Throws `Superseded` where the
 * run ended or another attempt took it over, so that a worker learns to stop; a lower figure than the one told is no news.
 */
export async function noteProgress(
  video: Pick<Video, 'workspaceId' | 'id'>,
  kind: JobKind,
  run: { runId: string; attempt?: number },
  { progress, statusText }: { progress: number; statusText?: string },
): Promise<void> {
  const text = statusText === undefined ? '' : ', #job.statusText = :text'
  const attempt = run.attempt === undefined ? '' : ' AND #job.attempt = :attempt'
  try {
    await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.video(video.workspaceId, video.id),
        UpdateExpression: `SET #job.progress = :progress${text}`,
        ConditionExpression: `#job.runId = :run AND #job.#status = :processing AND #job.progress <= :progress${attempt}`,
        ExpressionAttributeNames: { '#job': kind, '#status': 'status' },
        ExpressionAttributeValues: {
          ':run': run.runId,
          ':processing': 'PROCESSING',
          ':progress': progress,
          ...(text ? { ':text': statusText } : {}),
          ...(attempt ? { ':attempt': run.attempt } : {}),
        },
      }),
    )
  } catch (error) {
    if (!conditionFailed(error)) throw error
    const job = (await findVideoByKey(keys.video(video.workspaceId, video.id)))?.[kind]
    const mine = job?.runId === run.runId && job.status === 'PROCESSING' && (!attempt || job.attempt === run.attempt)
    if (!mine) throw new Superseded(`Run ${run.runId} is no longer the open ${kind} of ${video.id}.`)
  }
}

/** Makes the caller the one worker of a run, and tells its attempt number: any earlier worker loses its next write. */
export async function claimAttempt(workspaceId: string, videoId: string, kind: JobKind, runId: string): Promise<Video> {
  try {
    const { Attributes } = await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.video(workspaceId, videoId),
        UpdateExpression: 'SET #job.attempt = #job.attempt + :one, #version = #version + :one',
        ConditionExpression: '#job.runId = :run AND #job.#status = :processing',
        ExpressionAttributeNames: { '#job': kind, '#status': 'status', '#version': 'version' },
        ExpressionAttributeValues: { ':run': runId, ':processing': 'PROCESSING', ':one': 1 },
        ReturnValues: 'ALL_NEW',
      }),
    )
    return videoOf(Attributes!)
  } catch (error) {
    if (!conditionFailed(error)) throw error
    throw new Superseded(`Run ${runId} is no longer the open ${kind} of ${videoId}.`)
  }
}

/** Sets when the sweeper looks at a video again, unless the video changed meanwhile: then it is looked at again in the next minute. */
export async function lookAgainAt(video: Video, dueAt: string): Promise<void> {
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
