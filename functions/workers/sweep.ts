/**
 * The sweeper, once a minute: repeats lost wake-ups and fails jobs past their deadline. Idempotent: wake-ups are keyed
 * by their cause.
 */
import { outboxPrefix, sweptLanes } from '../../lib/store/core/keys.ts'
import { dispatchOutboxRow } from '../../lib/use-cases/outbox/dispatch-outbox.ts'
import { drainDueIndex } from '../../lib/use-cases/recovery/drain-due-index.ts'
import { recoverStalled } from '../../lib/use-cases/recovery/recover-stalled.ts'

export const handler = (): Promise<{ looked: number; failed: number }> =>
  drainDueIndex((key) => (key.sk.startsWith(outboxPrefix) ? dispatchOutboxRow(key) : recoverStalled(key)), {
    name: 'sweep',
    lanes: sweptLanes,
    // Nearly a minute, after which the next run starts with the oldest rows again. Rows in progress have a few seconds
    // more.
    timeLimitSeconds: 50,
    // More would queue for connections to SQS and time out.
    concurrency: 25,
    backoffSeconds: 300,
  })
