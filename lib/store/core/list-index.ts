/** Reads a list: the narrow rows of one partition of the list index. */
import type { Key } from './keys.ts'
import { listIndex } from './keys.ts'
import { queryRows } from './query.ts'

/**
 * Newest first, in pages of `pageSize` (default: a megabyte), read lazily. `since`: the last sort key, inclusive.
 * `after`: the row before the first one, exclusive; it need not exist any more.
 */
export function listRows<Row extends Key>(
  partition: string,
  pageSize?: number,
  since?: string,
  after?: Key & { listSk: string },
): AsyncGenerator<Row> {
  return queryRows<Row>({
    IndexName: listIndex.name,
    KeyConditionExpression: `#partition = :list${since === undefined ? '' : ' AND #sort >= :since'}`,
    ExpressionAttributeNames: {
      '#partition': listIndex.partition,
      ...(since === undefined ? {} : { '#sort': listIndex.sort }),
    },
    ExpressionAttributeValues: { ':list': partition, ...(since === undefined ? {} : { ':since': since }) },
    ScanIndexForward: false,
    ...(pageSize ? { Limit: pageSize } : {}),
    ...(after ? { ExclusiveStartKey: { ...after, [listIndex.partition]: partition } } : {}),
  })
}

/** A lazy k-way merge of several lists, newest first. */
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
