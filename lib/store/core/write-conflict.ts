/** Optimistic-lock conflicts: DynamoDB's failed conditions, and the error that stands for them. */
import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'

export const conditionFailed = (error: unknown): boolean => error instanceof ConditionalCheckFailedException

/** For transactions whose first item has the condition that is expected to fail. */
export const firstConditionFailed = (error: unknown): boolean =>
  error instanceof TransactionCanceledException && error.CancellationReasons?.[0]?.Code === 'ConditionalCheckFailed'

/** Cancellation reasons after which a new decision may succeed: a write conflict, or throttling. */
export const retryableCancellations = new Set([
  'ConditionalCheckFailed',
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
])

/** A record or a counter has changed since it was read: load and decide again. */
export class WriteConflict extends Error {
  override name = 'LostRace'
}
