/** Deletes the rows of a partition whose sort keys share a prefix: the leftovers of a deleted video. */
import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from './client.ts'
import type { Key } from './keys.ts'

const rowsPerPage = 25

export async function deleteByPrefix({ pk, sk }: Key): Promise<void> {
  for (;;) {
    const { Items = [] } = await table.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
        ProjectionExpression: 'pk, sk',
        ConsistentRead: true,
        Limit: rowsPerPage,
      }),
    )
    if (Items.length === 0) return
    await Promise.all(Items.map((Key) => table.send(new DeleteCommand({ TableName: tableName(), Key }))))
  }
}
