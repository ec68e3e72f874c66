/** The definition of the table, for the CDK and the local run; names and projections come from `keys.ts`. */
import { dueIndex, listAttributes, listIndex } from './keys.ts'

const string = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const })
const index = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  { AttributeName: sort, KeyType: 'RANGE' as const },
]

/** Input of `CreateTableCommand`. The API sets the TTL in a call of its own. */
export const tableDefinition = (tableName: string) => ({
  TableName: tableName,
  BillingMode: 'PAY_PER_REQUEST' as const,
  AttributeDefinitions: ['pk', 'sk', listIndex.partition, listIndex.sort, dueIndex.partition, dueIndex.sort].map(
    string,
  ),
  KeySchema: index('pk', 'sk'),
  GlobalSecondaryIndexes: [
    {
      IndexName: listIndex.name,
      KeySchema: index(listIndex.partition, listIndex.sort),
      Projection: { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...listAttributes] },
    },
    {
      IndexName: dueIndex.name,
      KeySchema: index(dueIndex.partition, dueIndex.sort),
      Projection: { ProjectionType: 'KEYS_ONLY' as const },
    },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' as const },
})
