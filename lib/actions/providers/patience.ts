/** How long this deployment waits for vendors with a queue. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Patience } from '../../providers/orders.ts'

const minute = 60_000

/** Less than a task has: what is not there by then is asked for by the next one. */
export const patienceFor = (minutes: number): Patience => ({
  wait: (ms, signal) => delay(ms, undefined, { signal }),
  pollMs: 5_000,
  deadlineMs: minutes * minute,
})
