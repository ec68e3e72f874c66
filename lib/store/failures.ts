/** What DynamoDB says when a condition does not hold. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'

export const conditionFailed = (error: unknown): boolean => error instanceof ConditionalCheckFailedException
