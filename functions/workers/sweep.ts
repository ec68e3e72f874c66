/**
 * Once a minute: whatever waits longer than it should is woken again, and a job past its deadline is ended. It only
 * re-issues wake-ups by their causes, so that running it twice is harmless.
 */

import { dispatch } from '../../lib/actions/dispatch.ts'
import { superviseVideo } from '../../lib/actions/supervise.ts'
import { now } from '../../lib/clock.ts'
import { log } from '../../lib/log.ts'
import { listDue } from '../../lib/store/due.ts'
import { outboxPrefix } from '../../lib/store/keys.ts'

const rowsPerShard = 60

export async function handler(): Promise<{ looked: number; failed: number }> {
  const due = await listDue(now(), rowsPerShard)
  const outcomes = await Promise.allSettled(
    due.map((key) => (key.sk.startsWith(outboxPrefix) ? dispatch(key) : superviseVideo(key))),
  )
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected')
  for (const { reason } of failures) log.error('sweep.failed', { error: reason as Error })
  return { looked: due.length, failed: failures.length }
}
