/**
 * Once a minute: whatever waits longer than it should is woken again, and a job past its deadline is ended. It only
 * re-issues wake-ups by their causes, so that running it twice is harmless.
 */

import { outboxPrefix, sweptLanes } from '../../lib/store/core/keys.ts'
import { dispatchOutboxRow } from '../../lib/use-cases/recovery/dispatch-outbox.ts'
import { drainDueIndex } from '../../lib/use-cases/recovery/drain-due-index.ts'
import { recoverStalled } from '../../lib/use-cases/recovery/recover-stalled.ts'

export const handler = (): Promise<{ looked: number; failed: number }> =>
  drainDueIndex((key) => (key.sk.startsWith(outboxPrefix) ? dispatchOutboxRow(key) : recoverStalled(key)), {
    name: 'sweep',
    lanes: sweptLanes,
    // Nearly the minute until the next one, which would begin with the oldest again. What is in hand by then has a few seconds more.
    timeLimitSeconds: 50,
    // More would stand in line for a connection to a queue until that takes too long.
    concurrency: 25,
    backoffSeconds: 300,
  })
