/** The only DynamoDB client. Every request has a time-out that throws, so that a hung call cannot hang a handler. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { limit } from '../../async.ts'
import { env } from '../../env.ts'

export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** Without `throwOnRequestTimeout` smithy only logs a warning at `requestTimeout`. */
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true }

/**
 * Marks `TransactionConflictException` as retryable. A single write fails with it while a transaction holds the row;
 * the SDK does not retry it by itself
 * (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/CommonErrors.html).
 */
export function withConflictRetry(client: DynamoDBClient): DynamoDBClient {
  client.middlewareStack.add(
    (next) => async (call) => {
      try {
        return await next(call)
      } catch (error) {
        if (error instanceof Error && error.name === 'TransactionConflictException')
          Object.assign(error, { $retryable: { throttling: false } })
        throw error
      }
    },
    { step: 'deserialize', priority: 'high', name: 'retryConflicts' },
  )
  return client
}

/** The SDK's own limit of sockets. */
const concurrentRequestsMax = 50

/**
 * Queues requests without a free socket here, before their time-outs start: those would run while a request waits in
 * the SDK's own queue, and a burst would fail. One Lambda function never has so many; the local run has all functions
 * in one process.
 */
export function withConcurrencyLimit(client: DynamoDBClient): DynamoDBClient {
  const limited = limit(concurrentRequestsMax)
  client.middlewareStack.add(
    (next) => (call) => limited(() => next(call)),
    // Inside the retries: each attempt waits for a slot.
    { step: 'finalizeRequest', priority: 'low', name: 'takeTurns' },
  )
  return client
}

/**
 * The SDK formats every response for a logger that is not used: 5 % of the CPU time under load (`npm run bench:load`).
 */
function withoutLogger(client: DynamoDBClient): DynamoDBClient {
  client.middlewareStack.remove('loggerMiddleware')
  return client
}

export const table = DynamoDBDocumentClient.from(
  withConcurrencyLimit(withConflictRetry(withoutLogger(new DynamoDBClient({ maxAttempts: 4, requestHandler })))),
  { marshallOptions: { removeUndefinedValues: true } },
)

export const tableName = () => env.tableName()
