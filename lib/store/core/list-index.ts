/** Reads a list: the narrow rows of one partition of the list index. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from './client.ts'
import type { Key } from './keys.ts'
import { listIndex } from './keys.ts'

/**
 * Newest first, read in pages of `pageSize` (a megabyte where it is absent) and no further than the reader goes; with `since` no
 * further back than that place in the order, with `behind` from the row behind that one on, which need not be there any more.
 */
export async function* listRows<Row extends Key>(
  partition: string,
  pageSize?: number,
  since?: string,
  after?: Key & { listSk: string },
): AsyncGenerator<Row> {
  let cursor: Record<string, unknown> | undefined = after && { ...after, [listIndex.partition]: partition }
  do {
    const { Items, LastEvaluatedKey } = await table.send(
      new QueryCommand({
        TableName: tableName(),
        IndexName: listIndex.name,
        KeyConditionExpression: `#partition = :list${since === undefined ? '' : ' AND #sort >= :since'}`,
        ExpressionAttributeNames: {
          '#partition': listIndex.partition,
          ...(since === undefined ? {} : { '#sort': listIndex.sort }),
        },
        ExpressionAttributeValues: { ':list': partition, ...(since === undefined ? {} : { ':since': since }) },
        ScanIndexForward: false,
        ...(pageSize ? { Limit: pageSize } : {}),
        ...(cursor ? { ExclusiveStartKey: cursor } : {}),
      }),
    )
    yield* (Items ?? []) as Row[]
    cursor = LastEvaluatedKey
  } while (cursor)
}

/** Rows of several lists as one, newest first: only as much of each is read as its turn needs. */
export async function* mergeLists<Row extends Key & { listSk: string }>(
  partitions: readonly { name: string; pageSize: number }[],
): AsyncGenerator<Row> {
  const sources = partitions.map(({ name, pageSize }) => listRows<Row>(name, pageSize))
  const heads = await Promise.all(sources.map((source) => source.next()))
  for (;;) {
    let newest = -1
    heads.forEach(({ done, value }, index) => {
      if (!done && (newest < 0 || value.listSk > heads[newest]!.value.listSk)) newest = index
    })
    if (newest < 0) return
    yield heads[newest]!.value as Row
    heads[newest] = await sources[newest]!.next()
  }
}
