/** Statistics of benches: median, percentiles, errors by code, growth of memory. */

/** Nearest-rank percentile, the highest value for 100; NaN without values. */
export function percentile(values: readonly number[], n: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(Math.ceil((n / 100) * sorted.length) - 1, 0)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

interface Sample {
  /** Milliseconds since any point in time. */
  at: number
  value: number
}

/** Slope per minute of the least-squares line. */
export function slopePerMinute(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [at, value] = [mean((one) => one.at), mean((one) => one.value)]
  const covariance = mean((one) => (one.at - at) * (one.value - value))
  return (covariance / mean((one) => (one.at - at) ** 2)) * 60_000
}

/** One request; times count from its scheduled send time. */
export interface RequestSample {
  /** Until the last byte of the response, or until the failure. */
  ms: number
  sentLateMs: number
  /** Status and code of an error response, or the name of a network error. */
  error: string | undefined
}

export interface LatencySummary {
  requests: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  errors: number
}

/** Includes failed requests: clients wait for errors too. */
export function summarize(samples: readonly RequestSample[]): LatencySummary {
  const ms = samples.map((one) => one.ms)
  return {
    requests: samples.length,
    p50Ms: tenth(percentile(ms, 50)),
    p95Ms: tenth(percentile(ms, 95)),
    p99Ms: tenth(percentile(ms, 99)),
    errors: samples.filter(({ error }) => error).length,
  }
}

const tenth = (value: number) => Math.round(value * 10) / 10

/** Number of requests by error. */
export function countErrors(samples: readonly RequestSample[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { error } of samples) if (error) counts[error] = (counts[error] ?? 0) + 1
  return counts
}

/**
 * Arrival times, in ms, of a Poisson process (independent clients): seeded, so the same each time, with bursts unlike a
 * steady rate.
 */
export function poissonArrivals(count: number, perSecond: number): number[] {
  let [state, at] = [1, 0]
  return Array.from({ length: count }, () => {
    // Numerical Recipes' generator; its upper bits are random enough for this.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    at -= (Math.log(1 - state / 2 ** 32) / perSecond) * 1000
    return at
  })
}
