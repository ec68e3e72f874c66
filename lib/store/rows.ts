/** Records as rows of the table: their keys, and the narrow attributes that lists and the sweeper read. */
import { videoStatus } from '../domain/states.ts'
import type { Video } from '../domain/video.ts'
import type { Key } from './keys.ts'
import { duePartition, keys, listPartitions } from './keys.ts'

export type Row = Key & Record<string, unknown>

/** In which list a video stands, and under what it is sorted. */
function listed(video: Video): { listPk: string; listSk: string } {
  const { workspaceId, id } = video
  if (video.parentVideoId)
    return { listPk: listPartitions.clips(workspaceId, video.parentVideoId), listSk: `${video.createdAt}#${id}` }
  if (video.isAutomation) return { listPk: listPartitions.automations(workspaceId), listSk: `${video.createdAt}#${id}` }
  return { listPk: listPartitions.videos(workspaceId), listSk: `${video.updatedAt}#${id}` }
}

/** Searching ignores case; 255 characters keep the list row narrow. */
const searchable = (title: string) => Array.from(title.toLowerCase()).slice(0, 255).join('')

export function videoRow(video: Video): Row {
  const due = video.dueAt ? { duePk: duePartition(video.id), dueSk: `${video.dueAt}#${video.id}` } : {}
  return {
    ...keys.video(video.workspaceId, video.id),
    ...listed(video),
    ...due,
    ...video,
    status: videoStatus(video),
    searchTitle: searchable(video.title),
  }
}

/** The record in a row: what only the table and its indexes need is left behind. */
export function recordOf<Kept>(row: Record<string, unknown>): Kept {
  const { pk: _pk, sk: _sk, listPk: _list, listSk: _place, duePk: _shard, dueSk: _due, ...record } = row
  return record as Kept
}

/** A video's row also carries what lists filter by. */
export function videoOf(row: Record<string, unknown>): Video {
  const {
    status: _status,
    searchTitle: _title,
    ...video
  } = recordOf<Video & { status: unknown; searchTitle: unknown }>(row)
  return video
}

/** The counter that a video stands in: only videos that are listed are counted. */
export const countedAs = (video: Video | undefined) =>
  video && !video.isAutomation && !video.parentVideoId ? `${video.type}#${videoStatus(video)}` : undefined
