/** What `npm run bench:usage` measures. */
import type { UsageByName } from './meter.ts'

export interface UsageFigures {
  /** By what was asked for: so many requests each. */
  routes: Record<string, { requests: number; used: UsageByName }>
  sweep: { ticks: number; used: UsageByName }
  generation: { seconds: number; storedBytes: number; used: UsageByName }
  render: { seconds: number; storedBytes: number; filmBytes: number; used: UsageByName }
  publication: { accounts: number; used: UsageByName }
  deliveries: { count: number; used: UsageByName }
  slots: { count: number; outboxRows: number; used: UsageByName }
}
