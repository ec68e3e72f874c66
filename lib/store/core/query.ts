/** The pagination loop over `Query`. */
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from './client.ts'

export type Query = Omit<QueryCommandInput, 'TableName'>

/**
 * Yields the rows of a query and reads the next page only when the caller gets there. `Limit` is the size of a page.
 */
export async function* queryRows<Row = Record<string, unknown>>(query: Query): AsyncGenerator<Row, void> {
  let cursor = query.ExclusiveStartKey
  do {
    const { Items = [], LastEvaluatedKey } = await table.send(
      new QueryCommand({ ...query, TableName: tableName(), ...(cursor && { ExclusiveStartKey: cursor }) }),
    )
    yield* Items as Row[]
    cursor = LastEvaluatedKey
  } while (cursor)
}

/** All rows of a query. */
export const queryAll = <Row = Record<string, unknown>>(query: Query): Promise<Row[]> =>
  Array.fromAsync(queryRows<Row>(query))
