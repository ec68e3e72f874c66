/** The one DynamoDB client. Every request has a hard time-out that throws: a hung call must never hang a handler. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { env } from '../env.ts'

/** smithy only logs a warning at `requestTimeout` unless it is told to throw. */
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true }

export const table = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 4, requestHandler }), {
  marshallOptions: { removeUndefinedValues: true },
})

export const tableName = () => env.tableName()
