/** The one DynamoDB client. Every request has a hard time-out that throws: a hung call must never hang a handler. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { env } from '../../env.ts'
import { semaphore } from './semaphore.ts'

/** smithy only logs a warning at `requestTimeout` unless it is told to throw. */
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true }

/**
 * A single write that meets a transaction on the same row is refused, and the SDK does not take that for passing
 * (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/CommonErrors.html). It is: its own retries bridge it.
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

/** As many as the SDK opens sockets. */
const requestsAtOnce = 50

/**
 * Who finds no free socket waits here, before the time-outs above begin: they would run while a request stands in the SDK's own
 * line, and a burst that takes a moment would fail. A function never has so many; the local run is all functions in one process.
 */
export function withConcurrencyLimit(client: DynamoDBClient): DynamoDBClient {
  const inTurn = semaphore(requestsAtOnce)
  client.middlewareStack.add(
    (next) => (call) => inTurn(() => next(call)),
    // Behind the retries: each try waits for itself.
    { step: 'finalizeRequest', priority: 'low', name: 'takeTurns' },
  )
  return client
}

/** The SDK lays out every answer for a log that nobody keeps: a twentieth of what the service does under load (`npm run bench:load`). */
function withoutLogger(client: DynamoDBClient): DynamoDBClient {
  client.middlewareStack.remove('loggerMiddleware')
  return client
}

export const table = DynamoDBDocumentClient.from(
  withConcurrencyLimit(withConflictRetry(withoutLogger(new DynamoDBClient({ maxAttempts: 4, requestHandler })))),
  { marshallOptions: { removeUndefinedValues: true } },
)

export const tableName = () => env.tableName()
