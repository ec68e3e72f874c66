/** All rows of a workspace, whatever they are: for a restore, and for its erasure. Reads the whole table. */
import { DeleteCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { parallelLimit } from '../async.ts'
import { videoStatuses } from '../domain/core/states.ts'
import { videoTypes } from '../domain/records/brief.ts'
import { table, tableName } from './core/client.ts'
import { type Key, keys, listPartitions } from './core/keys.ts'
import { listRows } from './core/list-index.ts'

/** The parameters of a scan. Its API keys and request counts are stored outside its partitions. */
export const workspaceRowFilter = (workspaceId: string) => ({
  FilterExpression: 'pk = :own OR begins_with(pk, :below) OR pk = :requests OR listPk = :keys',
  ExpressionAttributeValues: {
    ':own': keys.workspace(workspaceId).pk,
    ':below': `${keys.workspace(workspaceId).pk}#`,
    ':requests': keys.tokenBucket(workspaceId, '').pk,
    ':keys': listPartitions.apiKeys(workspaceId),
  },
})

/** The ids of all videos but clips, blueprints among them. Eventually consistent. */
export async function listRootVideoIds(workspaceId: string): Promise<string[]> {
  const lists = videoTypes.flatMap((type) =>
    videoStatuses.map((status) => listPartitions.videos(workspaceId, type, status)),
  )
  const ids = new Set<string>()
  for (const list of [...lists, listPartitions.automations(workspaceId)])
    for await (const { id } of listRows<Key & { id: string }>(list)) ids.add(id)
  return [...ids]
}

const deletesAtOnce = 25

/** Deletes every row of a workspace but its own record and its ledger; returns how many. Idempotent. */
export async function deleteWorkspaceRows(workspaceId: string): Promise<number> {
  const retained = new Set([keys.workspace(workspaceId).pk, keys.ledger(workspaceId, '', '').pk])
  let deleted = 0
  let cursor: Record<string, unknown> | undefined
  do {
    const { Items = [], LastEvaluatedKey } = await table.send(
      new ScanCommand({
        TableName: tableName(),
        ...workspaceRowFilter(workspaceId),
        ProjectionExpression: 'pk, sk',
        ...(cursor && { ExclusiveStartKey: cursor }),
      }),
    )
    const rows = (Items as Key[]).filter(({ pk }) => !retained.has(pk))
    await parallelLimit(
      rows.map(
        ({ pk, sk }) =>
          () =>
            table.send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } })),
      ),
      deletesAtOnce,
    )
    deleted += rows.length
    cursor = LastEvaluatedKey
  } while (cursor)
  return deleted
}

/**
 * Removes the name, the media secret and the settings of a deleted workspace; its id, plan, times and counters stay. Its
 * storage is empty: uploads that were waiting can end no more.
 */
export async function eraseWorkspaceRecord(workspaceId: string, now: string): Promise<void> {
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.workspace(workspaceId),
      UpdateExpression:
        'SET #name = :none, mediaSecret = :none, erasedAt = :now, videoCounts = :counts, storageUsedBytes = :zero, uploadsWaiting = :zero REMOVE requestsPerMinute, clockAt',
      ConditionExpression: 'attribute_exists(deletedAt)',
      ExpressionAttributeNames: { '#name': 'name' },
      ExpressionAttributeValues: { ':none': '', ':now': now, ':counts': {}, ':zero': 0 },
    }),
  )
}
