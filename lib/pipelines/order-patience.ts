/** How long an execution waits for what it has ordered at vendors. */
import { now } from '../clock.ts'
import { JobFailure } from '../domain/core/failures.ts'
import { secondsAfter } from '../domain/core/time.ts'
import { OrderPending } from '../providers/vendor-orders.ts'

/** From its start. The deadline of a generation leaves ten minutes more. */
export const orderPatienceSeconds = 20 * 60

/**
 * Does work that places and polls orders. `startedAt`: when the execution started, of states that wait for vendors.
 * Throws `OrderPending` as long as the execution waits, then `JobFailure`.
 */
export async function withOrderPatience<Result>(
  startedAt: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const isLate = startedAt !== undefined && now() >= secondsAfter(startedAt, orderPatienceSeconds)
    if (!(error instanceof OrderPending && isLate)) throw error
    throw new JobFailure(
      'provider-unavailable',
      'A vendor did not finish an order within 20 minutes: try again later, the same order is then continued.',
    )
  }
}
