/** What a load run comes to: percentiles, and how fast memory grows. */

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

export interface Answered {
  ms: number
  /** 0: there was no answer. */
  status: number
}

export interface Row {
  requests: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  errors: number
}

/** An answer below 400 is what every request of the load expects. */
export function rowOf(answers: readonly Answered[]): Row {
  const ms = answers.map((one) => one.ms)
  return {
    requests: answers.length,
    p50Ms: tenth(percentile(ms, 50)),
    p95Ms: tenth(percentile(ms, 95)),
    p99Ms: tenth(percentile(ms, 99)),
    errors: answers.filter(({ status }) => status === 0 || status >= 400).length,
  }
}

const tenth = (value: number) => Math.round(value * 10) / 10
