/** The DynamoDB table; `lib/store/core/table-definition.ts` defines the same one for the local run. */
import { RemovalPolicy } from 'aws-cdk-lib'
import { AttributeType, Billing, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb'
import { Construct } from 'constructs'
import { dueIndex, listAttributes, listIndex, ttlAttribute } from '../../store/core/keys.ts'

const string = (name: string) => ({ name, type: AttributeType.STRING })
const keysOf = ({ name, partition, sort }: { name: string; partition: string; sort: string }) => ({
  indexName: name,
  partitionKey: string(partition),
  sortKey: string(sort),
})

export class Table extends Construct {
  readonly table: TableV2

  constructor(scope: Construct, id: string) {
    super(scope, id)
    this.table = new TableV2(this, 'Table', {
      partitionKey: string('pk'),
      sortKey: string('sk'),
      billing: Billing.onDemand(),
      timeToLiveAttribute: ttlAttribute,
      // The stream consumers need only ids, because they read the row.
      dynamoStream: StreamViewType.KEYS_ONLY,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
      globalSecondaryIndexes: [
        { ...keysOf(listIndex), projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...listAttributes] },
        { ...keysOf(dueIndex), projectionType: ProjectionType.KEYS_ONLY },
      ],
    })
  }
}
