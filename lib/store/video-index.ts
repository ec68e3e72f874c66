/** What brings a remembered list of videos up to date: the videos that something happened to, and those that left. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { ListedVideo, VideoTombstone } from '../domain/videos/video-index.ts'
import { table, tableName } from './core/client.ts'
import { keys } from './core/keys.ts'
import { listRows } from './core/list-index.ts'
import { type ListRow, matchingLists } from './videos.ts'

/** Every listed video that something happened to since a time (ISO); without one, all of them. In no order. */
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

/** Which videos left the list since a time, and when: they were removed, or are listed elsewhere now. */
export async function listTombstones(workspaceId: string, since: string): Promise<VideoTombstone[]> {
  const { pk } = keys.tombstone(workspaceId, '', '')
  const departures: VideoTombstone[] = []
  let cursor: Record<string, unknown> | undefined
  do {
    const { Items = [], LastEvaluatedKey } = await table.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: 'pk = :pk AND sk >= :since',
        ExpressionAttributeValues: { ':pk': pk, ':since': since },
        ...(cursor ? { ExclusiveStartKey: cursor } : {}),
      }),
    )
    departures.push(...Items.map(({ sk, videoId }) => ({ videoId, at: String(sk).split('#')[0]! })))
    cursor = LastEvaluatedKey
  } while (cursor)
  return departures
}
