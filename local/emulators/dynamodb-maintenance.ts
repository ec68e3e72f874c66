// Maintenance that DynamoDB does and dynoxide does not: deletes expired items (TTL) and trims old stream records.

import { DatabaseSync } from 'node:sqlite'
import {
  ConditionalCheckFailedException,
  type CreateTableCommandInput,
  DeleteItemCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb'
import type { Log } from '../log.ts'

const REAP_EVERY_MS = 30_000
const TRIM_EVERY_MS = 3_600_000
// DynamoDB keeps a stream record for 24 hours.
const STREAM_SECONDS_MAX = 24 * 3600

interface MaintenanceOptions {
  readonly client: DynamoDBClient
  readonly file: string
  readonly table: CreateTableCommandInput
  readonly ttlAttribute: string
  readonly log: Log
}

/** Starts at once. `stop` waits for a sweep in progress. */
export function startMaintenance(options: MaintenanceOptions): { stop(): Promise<void> } {
  indexStream(options.file)
  indexExpiry(options)
  trimStream(options.file)
  const sweep = (): Promise<unknown> =>
    deleteExpired(options, Date.now()).catch((error) => options.log('deleting expired items failed', error))
  let sweeping = sweep()
  const reaper = setInterval(() => {
    sweeping = sweep()
  }, REAP_EVERY_MS)
  const trimmer = setInterval(() => trimStream(options.file), TRIM_EVERY_MS)
  return {
    stop: async () => {
      clearInterval(reaper)
      clearInterval(trimmer)
      await sweeping
    },
  }
}

/** Deletes items that expired before `now` (ms since 1970) and returns their number. */
export async function deleteExpired(options: Omit<MaintenanceOptions, 'log'>, now: number): Promise<number> {
  const { table, ttlAttribute } = options
  const keys = (table.KeySchema ?? []).flatMap((key) => key.AttributeName ?? [])
  let deleted = 0
  for (const item of expiredItems(options, Math.floor(now / 1000))) {
    const key = Object.fromEntries(keys.map((name) => [name, item[name]!]))
    if (await deleteUnchanged(options, key, item[ttlAttribute]!)) deleted += 1
  }
  return deleted
}

const expiry = (ttlAttribute: string) => `json_extract(item_json, '$.${ttlAttribute}.N')`

// Without the index each sweep scans the whole table: at 60,000 items that keeps the emulator fully busy.
function indexExpiry({ file, table, ttlAttribute }: Pick<MaintenanceOptions, 'file' | 'table' | 'ttlAttribute'>): void {
  withDatabase(file, (database) =>
    database.exec(
      `CREATE INDEX IF NOT EXISTS expiry ON "${table.TableName}"(CAST(${expiry(ttlAttribute)} AS INTEGER)) ` +
        `WHERE ${expiry(ttlAttribute)} IS NOT NULL`,
    ),
  )
}

/** Reads from the file. Items are deleted through the emulator, so that the stream has a record. */
function expiredItems(
  { file, table, ttlAttribute }: Omit<MaintenanceOptions, 'client' | 'log'>,
  second: number,
): Item[] {
  return withDatabase(file, (database) =>
    database
      .prepare(
        `SELECT item_json FROM "${table.TableName}" ` +
          `WHERE ${expiry(ttlAttribute)} IS NOT NULL AND CAST(${expiry(ttlAttribute)} AS INTEGER) < ?`,
      )
      .all(second)
      .map(({ item_json }) => JSON.parse(String(item_json)) as Item),
  )
}

type Item = NonNullable<ConstructorParameters<typeof DeleteItemCommand>[0]['Key']>

async function deleteUnchanged(
  { client, table, ttlAttribute }: Pick<MaintenanceOptions, 'client' | 'table' | 'ttlAttribute'>,
  key: Item,
  seen: Item[string],
): Promise<boolean> {
  try {
    await client.send(
      new DeleteItemCommand({
        TableName: table.TableName,
        Key: key,
        // The expiry may have been extended since the scan.
        ConditionExpression: '#ttl = :seen',
        ExpressionAttributeNames: { '#ttl': ttlAttribute },
        ExpressionAttributeValues: { ':seen': seen },
      }),
    )
    return true
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false
    throw error
  }
}

// Each write queries the highest sequence number, which without this index reads every record of the stream: at 18,000
// records transactions were ten times slower. A second connection is safe, because dynoxide uses WAL mode.
function indexStream(file: string): void {
  withDatabase(file, (database) =>
    database.exec(
      'CREATE INDEX IF NOT EXISTS stream_order ON _stream_records(table_name, CAST(sequence_number AS INTEGER))',
    ),
  )
}

/** Deletes stream records older than a day, never the newest: without records, numbering would restart at 1. */
export function trimStream(file: string, secondsMax = STREAM_SECONDS_MAX): void {
  withDatabase(file, (database) =>
    database
      .prepare('DELETE FROM _stream_records WHERE created_at < ? AND id < (SELECT MAX(id) FROM _stream_records)')
      .run(Math.floor(Date.now() / 1000) - secondsMax),
  )
}

function withDatabase<Result>(file: string, use: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  try {
    return use(database)
  } finally {
    database.close()
  }
}
