/** What DynamoDB says when a condition does not hold. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'

/** The item as it was, where an error is a failed condition; undefined for every other error. */
export function conditionFailed(error: unknown): { item: Record<string, unknown> | undefined } | undefined {
  if (!(error instanceof ConditionalCheckFailedException)) return undefined
  return { item: error.Item ? unmarshall(error.Item) : undefined }
}
