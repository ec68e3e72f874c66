/** Forgets rows of a partition that begin alike: what a removed video leaves behind. */
import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from './client.ts'
import type { Key } from './keys.ts'

const atOnce = 25

export async function deleteByPrefix({ pk, sk }: Key): Promise<void> {
  for (;;) {
    const { Items = [] } = await table.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
        ProjectionExpression: 'pk, sk',
        ConsistentRead: true,
        Limit: atOnce,
      }),
    )
    if (Items.length === 0) return
    await Promise.all(Items.map((Key) => table.send(new DeleteCommand({ TableName: tableName(), Key }))))
  }
}
