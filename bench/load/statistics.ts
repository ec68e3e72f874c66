/** What a load run comes to: percentiles, errors by their code, and how fast memory grows. */

/** The n-th hundredth of values, the highest for 100; NaN of none. */
export function percentile(values: readonly number[], n: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(Math.ceil((n / 100) * sorted.length) - 1, 0)] ?? Number.NaN
}

export interface Sample {
  /** Milliseconds since any moment. */
  at: number
  value: number
}

/** By how much the values rise in a minute, along the line that fits them best. */
export function slopePerMinute(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [at, value] = [mean((one) => one.at), mean((one) => one.value)]
  const covariance = mean((one) => (one.at - at) * (one.value - value))
  return (covariance / mean((one) => (one.at - at) ** 2)) * 60_000
}

/** One request; times count from the moment at which it should have been sent. */
export interface RequestSample {
  /** Until the last byte of the answer, or until there was none. */
  ms: number
  sentLateMs: number
  /** Status and code of an answer that is no success, or the name of what came in its place. */
  error: string | undefined
}

export interface LatencySummary {
  requests: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  errors: number
}

/** Those that failed are among them: whoever waits for a refusal waits too. */
export function summarize(answers: readonly RequestSample[]): LatencySummary {
  const ms = answers.map((one) => one.ms)
  return {
    requests: answers.length,
    p50Ms: tenth(percentile(ms, 50)),
    p95Ms: tenth(percentile(ms, 95)),
    p99Ms: tenth(percentile(ms, 99)),
    errors: answers.filter(({ error }) => error).length,
  }
}

const tenth = (value: number) => Math.round(value * 10) / 10

/** How often each error came. */
export function countErrors(answers: readonly RequestSample[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { error } of answers) if (error) counts[error] = (counts[error] ?? 0) + 1
  return counts
}

/**
 * The moments, in ms, of so many requests that many clients send without knowing of each other (a Poisson process), the same each time:
 * now and then several at once, as no steady rate would have them.
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
