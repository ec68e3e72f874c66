/** What DynamoDB says when a condition does not hold. */
import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'

export const conditionFailed = (error: unknown): boolean => error instanceof ConditionalCheckFailedException

/** Of a transaction whose first condition is the one that may not hold. */
export const firstConditionFailed = (error: unknown): boolean =>
  error instanceof TransactionCanceledException && error.CancellationReasons?.[0]?.Code === 'ConditionalCheckFailed'

/** Why a transaction may be cancelled that is worth deciding again: a lost race, or too much at once. */
export const retryableCancellations = new Set([
  'ConditionalCheckFailed',
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
])

/** The record, or a counter, is no longer what the decision was made on: load and decide again. */
export class WriteConflict extends Error {
  override name = 'LostRace'
}
