/**
 * Retries with backoff while a vendor is busy: starting a new task takes tens of seconds, and most of these failures
 * pass within a few.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { retry } from '../../lib/async.ts'
import { ProviderBusy } from '../../lib/domain/core/failures.ts'
import { env } from '../../lib/env.ts'
import { log } from '../../lib/log.ts'
import { OrderPending } from '../../lib/providers/vendor-orders.ts'

/** Before each retry; after the last one the state machine retries with a new task. */
const pausesMs = [2_000, 4_000, 8_000]

/** A delay divided by the time scale of this deployment. */
const scaledDelay = (ms: number, signal: AbortSignal): Promise<unknown> =>
  delay(ms / env.timeScale(), undefined, { signal })

/** `wait` is injected by tests. An order that is pending is retried by the state machine alone. */
export function retryWhileBusy<Result>(
  attempt: () => Promise<Result>,
  signal: AbortSignal,
  wait: typeof scaledDelay = scaledDelay,
): Promise<Result> {
  return retry(attempt, {
    pausesMs,
    isRetryable: (error) => error instanceof ProviderBusy && !(error instanceof OrderPending),
    beforeRetry: (error) => log.warn('provider.busy', { error }),
    sleep: (ms) => wait(ms, signal),
  })
}
