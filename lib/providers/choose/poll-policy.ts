/** Poll interval and clock for vendors with a queue, scaled in local runs. The time limit is `OrderContext.waitMs`. */
import { setTimeout as delay } from 'node:timers/promises'
import { now } from '../../clock.ts'
import { env } from '../../env.ts'
import type { PollPolicy } from '../vendor-orders.ts'

export const pollPolicy: PollPolicy = {
  wait: (ms, signal) => delay(ms / env.timeScale(), undefined, { signal }),
  now: () => Date.parse(now()),
  pollMs: 5_000,
}
