// The filter of the outbox mapping, apart from the handlers: processes that run one worker import it too.

import type { DynamoDBRecord } from 'aws-lambda'
import { outboxPrefix } from '../../lib/store/core/keys.ts'

/** Whether a stream record is a new outbox row. */
export const isOutboxInsert = ({ eventName, dynamodb }: DynamoDBRecord): boolean =>
  eventName === 'INSERT' && Boolean(dynamodb?.Keys?.sk?.S?.startsWith(outboxPrefix))
