/** The figures of `npm run bench:usage`. Keys are those of the stored result. */
import type { UsageByName } from './meter.ts'

export interface UsageFigures {
  /** By request class. */
  routes: Record<string, { requests: number; used: UsageByName }>
  sweep: { ticks: number; used: UsageByName }
  generation: { seconds: number; storedBytes: number; used: UsageByName }
  render: { seconds: number; storedBytes: number; filmBytes: number; used: UsageByName }
  publication: { accounts: number; used: UsageByName }
  deliveries: { count: number; used: UsageByName }
  slots: { count: number; outboxRows: number; used: UsageByName }
}
