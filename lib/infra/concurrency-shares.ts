/**
 * How many concurrent executions of the account's functions the workers may use, and whether requests may wait. A new account has ten, which requests
 * and pipeline steps share with them.
 */

export interface ConcurrencyShares {
  /** Concurrent batches of each shard of the table's stream, of which a table has about four: 1 to 4. */
  batchesPerShard: number
  /** Concurrent invocations by each delivery queue; SQS allows no fewer than 2. */
  deliveries: { normal: number; slow: number }
  /** Seconds for which a request may wait for its job: none where the waiting ones could take the slots of their jobs. */
  waitSecondsMax: number
  /** Parallel functions of one render, 1 to 40. */
  renderFunctions: number
}

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(Math.floor(value), min), max)

/** `concurrency`: the account's quota of concurrent executions. With 100 or more, at most a quarter of it is used. */
export const concurrencyShares = (concurrency: number): ConcurrencyShares => ({
  batchesPerShard: clamp(concurrency / 50, 1, 4),
  deliveries: { normal: clamp(concurrency / 10, 2, 100), slow: clamp(concurrency / 20, 2, 5) },
  waitSecondsMax: concurrency < 100 ? 0 : 25,
  renderFunctions: clamp(concurrency / 25, 1, 40),
})
