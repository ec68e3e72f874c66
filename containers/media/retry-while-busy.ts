/** Asks again for what a vendor was too busy to make: a task that starts anew costs tens of seconds, and a few of them may pass quickly. */
import { setTimeout as delay } from 'node:timers/promises'
import { retry } from '../../lib/async.ts'
import { ProviderBusy } from '../../lib/domain/core/failures.ts'
import { env } from '../../lib/env.ts'
import { log } from '../../lib/log.ts'
import { OrderPending } from '../../lib/providers/vendor-orders.ts'

/** Before the second time, the third, and so on; then the state machine tries with a new task. */
const pausesMs = [2_000, 4_000, 8_000]

/** Waits as long as this deployment does. */
export const scaledDelay = (ms: number, signal: AbortSignal): Promise<unknown> =>
  delay(ms / env.timeScale(), undefined, { signal })

/** `wait` is a door, so that tests need not, and others can work meanwhile. */
export async function retryWhileBusy<Made>(
  make: () => Promise<Made>,
  signal: AbortSignal,
  wait: typeof scaledDelay = scaledDelay,
): Promise<Made> {
  return retry(make, {
    pausesMs,
    isRetryable: (error) => error instanceof ProviderBusy && !(error instanceof OrderPending),
    beforeRetry: (error) => log.warn('provider.busy', { error }),
    sleep: (ms) => wait(ms, signal),
  })
}
