/** What collections of clips answered to searches: for a day, for the whole deployment. Accounts may search only so often an hour. */
import { createHash } from 'node:crypto'
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from './core/client.ts'
import { keys, ttlAttribute } from './core/keys.ts'

const ttlSeconds = 24 * 60 * 60
/** A row has room for 400 KB; what is longer is searched for again. */
const bytesMax = 300_000

const epochSeconds = (at: string) => Math.floor(Date.parse(at) / 1000)

const keyOf = (search: string) => keys.search(createHash('sha256').update(search).digest('hex'))

/** The answer, where it is not older than a day. */
export async function findCachedSearch(search: string, at: string): Promise<string | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: keyOf(search) }))
  return Item && Item[ttlAttribute] > epochSeconds(at) ? (Item.answer as string) : undefined
}

export async function cacheSearch(search: string, answer: string, at: string): Promise<void> {
  if (Buffer.byteLength(answer) > bytesMax) return
  const row = { ...keyOf(search), answer, [ttlAttribute]: epochSeconds(at) + ttlSeconds }
  await table.send(new PutCommand({ TableName: tableName(), Item: row }))
}
