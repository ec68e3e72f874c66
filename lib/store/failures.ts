/** What DynamoDB says when a condition does not hold. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'

export const conditionFailed = (error: unknown): boolean => error instanceof ConditionalCheckFailedException

/** Why a transaction may be cancelled that is worth deciding again: a lost race, or too much at once. */
export const decidedAgain = new Set([
  'ConditionalCheckFailed',
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
])
