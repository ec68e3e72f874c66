/** Asks again for what a vendor was too busy to make: a task that starts anew costs tens of seconds, and a few of them may pass quickly. */
import { setTimeout as delay } from 'node:timers/promises'
import { ProviderBusy } from '../../lib/domain/core/failures.ts'
import { env } from '../../lib/env.ts'
import { log } from '../../lib/log.ts'
import { OrderPending } from '../../lib/providers/vendor-orders.ts'

/** Before the second time, the third, and so on; then the state machine tries with a new task. */
const backoffMs = [2_000, 4_000, 8_000]

/** Waits as long as this deployment does. */
export const scaledDelay = (ms: number, signal: AbortSignal): Promise<unknown> =>
  delay(ms / env.timeScale(), undefined, { signal })

/** `wait` is a door, so that tests need not, and others can work meanwhile. */
export async function retryWhileBusy<Made>(
  make: () => Promise<Made>,
  signal: AbortSignal,
  wait: typeof scaledDelay = scaledDelay,
): Promise<Made> {
  for (const ms of backoffMs) {
    try {
      return await make()
    } catch (error) {
      if (!(error instanceof ProviderBusy) || error instanceof OrderPending) throw error
      log.warn('provider.busy', { error })
      await wait(ms, signal)
    }
  }
  return make()
}
