/** What the benchmarks use of autocannon, which has no types of its own. */
declare module 'autocannon' {
  interface Options {
    url: string
    method: string
    headers: Record<string, string>
    body?: string
    connections: number
    /** Seconds. */
    duration: number
  }
  interface Result {
    non2xx: number
    latency: { p50: number; p99: number }
    requests: { average: number }
  }
  export default function autocannon(options: Options): Promise<Result>
}
