// Follows the rows that hold jobs. The table's stream names keys only, so each row is read again.

import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { DynamoDBRecord } from 'aws-lambda'
import type { Key } from '../../lib/store/core/keys.ts'
import type { Row } from '../../lib/store/core/rows.ts'
import { hasJobs } from './jobs.ts'

/** Takes a row and its key; undefined once the row is deleted. */
export type OnRow = (key: Key, row: Row | undefined) => void

/** A listener for stream records. Rows arrive in order; a row that cannot be read is skipped, its next change shows the same jobs. */
export function watchRows(onRow: OnRow): (record: DynamoDBRecord) => void {
  let last = Promise.resolve()
  return ({ dynamodb }) => {
    const key = { pk: dynamodb?.Keys?.pk?.S ?? '', sk: dynamodb?.Keys?.sk?.S ?? '' }
    if (!hasJobs(key)) return
    last = last
      .then(() => readRow(key))
      .then((row) => onRow(key, row))
      .catch(() => {})
  }
}

async function readRow(Key: Key): Promise<Row | undefined> {
  // Imported at the first record: the client reads the environment, which is not set before.
  const { table, tableName } = await import('../../lib/store/core/client.ts')
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key, ConsistentRead: true }))
  return Item as Row | undefined
}
