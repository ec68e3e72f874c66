/** A cache of footage searches: for a day, for the whole deployment. The vendors limit the searches per hour. */
import { createHash } from 'node:crypto'
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from './core/client.ts'
import { epochSeconds, expiryOf, keys, ttlAttribute } from './core/keys.ts'

const ttlSeconds = 24 * 60 * 60
/** A row is limited to 400 KB; longer responses are not cached. */
const bytesMax = 300_000

const keyOf = (search: string) => keys.search(createHash('sha256').update(search).digest('hex'))

/** Undefined where there is none, or it is older than a day. */
export async function findCachedSearch(search: string, at: string): Promise<string | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: keyOf(search) }))
  return Item && Item[ttlAttribute] > epochSeconds(at) ? (Item.answer as string) : undefined
}

export async function cacheSearch(search: string, answer: string, at: string): Promise<void> {
  if (Buffer.byteLength(answer) > bytesMax) return
  const row = { ...keyOf(search), answer, [ttlAttribute]: expiryOf(at, ttlSeconds) }
  await table.send(new PutCommand({ TableName: tableName(), Item: row }))
}
