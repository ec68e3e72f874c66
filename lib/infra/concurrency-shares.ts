/**
 * How many concurrent executions of the account's functions the workers may use, and whether requests may wait. A new
 * account has ten, which requests and pipeline steps share with them.
 */

export interface ConcurrencyShares {
  /** Concurrent batches of each shard of the table's stream, of which a table has about four: 1 to 4. */
  batchesPerShard: number
  /** Concurrent invocations by each delivery queue; SQS allows no fewer than 2. */
  deliveries: { normal: number; slow: number }
  /** Seconds for which a request may wait for its job: none where the waiting ones could take the slots of their jobs. */
  waitSecondsMax: number
  /** Reserved executions of the media function, which bound all renders together; 0: the account has none to reserve. */
  mediaFunctions: number
  /** Parallel functions of one render, up to 40; 0 where nothing would bound the functions of all renders. */
  renderFunctions: number
}

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(Math.floor(value), min), max)

/** AWS keeps them for the functions without a reservation: https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html */
const unreservedMin = 100

/** `concurrency`: the account's quota of concurrent executions. With 100 or more, at most half of it is used. */
export function concurrencyShares(concurrency: number): ConcurrencyShares {
  const mediaFunctions = clamp(concurrency / 4, 0, Math.max(concurrency - unreservedMin, 0))
  return {
    batchesPerShard: clamp(concurrency / 50, 1, 4),
    deliveries: { normal: clamp(concurrency / 10, 2, 100), slow: clamp(concurrency / 20, 2, 5) },
    waitSecondsMax: concurrency < 100 ? 0 : 25,
    mediaFunctions,
    renderFunctions: clamp(concurrency / 25, 0, Math.min(mediaFunctions, 40)),
  }
}
