/** Reads a list: the narrow rows of one partition of the list index. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from './client.ts'
import type { Key } from './keys.ts'
import { listIndex } from './keys.ts'

/** Newest first, read in pages of `pageSize` (a megabyte where it is absent) and no further than the reader goes. */
export async function* listRows<Row extends Key>(partition: string, pageSize?: number): AsyncGenerator<Row> {
  let cursor: Record<string, unknown> | undefined
  do {
    const { Items, LastEvaluatedKey } = await table.send(
      new QueryCommand({
        TableName: tableName(),
        IndexName: listIndex.name,
        KeyConditionExpression: '#partition = :list',
        ExpressionAttributeNames: { '#partition': listIndex.partition },
        ExpressionAttributeValues: { ':list': partition },
        ScanIndexForward: false,
        ...(pageSize ? { Limit: pageSize } : {}),
        ...(cursor ? { ExclusiveStartKey: cursor } : {}),
      }),
    )
    yield* (Items ?? []) as Row[]
    cursor = LastEvaluatedKey
  } while (cursor)
}
