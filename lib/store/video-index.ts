/** The changes since a cached video index was written: active videos and tombstones. */
import type { ListedVideo, VideoTombstone } from '../domain/videos/video-index.ts'
import { type Key, keys } from './core/keys.ts'
import { listRows } from './core/list-index.ts'
import { queryAll } from './core/query.ts'
import { type ListRow, matchingLists } from './videos.ts'

/** Every listed video with activity since a time (ISO); all of them without one. Unordered. */
export async function listVideosActiveSince(
  workspaceId: string,
  counts: Record<string, number>,
  since: string | undefined,
): Promise<ListedVideo[]> {
  const read = async (name: string) => {
    const rows: ListedVideo[] = []
    for await (const { id, listSk, type, subType, status, searchTitle } of listRows<ListRow>(name, undefined, since))
      rows.push({ id, listSk, type, subType, status, searchTitle })
    return rows
  }
  return (await Promise.all(matchingLists(workspaceId, counts, {}).map(({ name }) => read(name)))).flat()
}

/** The videos that left the list since a time: deleted, or moved to another list. */
export async function listTombstones(workspaceId: string, since: string): Promise<VideoTombstone[]> {
  const { pk } = keys.tombstone(workspaceId, '', '')
  const rows = await queryAll<Key & { videoId: string }>({
    KeyConditionExpression: 'pk = :pk AND sk >= :since',
    ExpressionAttributeValues: { ':pk': pk, ':since': since },
  })
  return rows.map(({ sk, videoId }) => ({ videoId, at: sk.split('#')[0]! }))
}
