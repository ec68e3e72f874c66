/** Retries on optimistic-lock conflicts. */
import { backoffMs, retry } from '../../async.ts'
import { WriteConflict } from './write-conflict.ts'

export const conflictAttemptsMax = 8

/** 50, 100, 200, then 400 ms, with full jitter: concurrent writers separate. */
export const conflictBackoff = (attempts: number) => ({
  pausesMs: backoffMs(attempts - 1, { first: 50, last: 400 }),
  jitter: true,
})

/** Repeats a load–decide–commit cycle while its commit throws `WriteConflict`; the last conflict is thrown. */
export const retryOnConflict = <Result>(
  attempt: () => Promise<Result>,
  attempts = conflictAttemptsMax,
): Promise<Result> =>
  retry(attempt, { ...conflictBackoff(attempts), isRetryable: (error) => error instanceof WriteConflict })
