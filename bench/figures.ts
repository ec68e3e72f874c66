/** What each bench tells of what it measured, and what is asked of it: `docs/benchmarks.md` is written of these. */
import type { LatencySummary } from './load/statistics.ts'
import type { UsageFigures } from './usage/figures.ts'

interface Timing {
  wallSeconds: number
  cpuSeconds: number
}

/** A bench may tell more than the page shows. */
export interface Figures {
  render: {
    /** How long the two films last. */
    filmSeconds: { film: number; cold: number }
    floor: Timing
    film: Timing
    cold: Timing
    edit: Timing
    wallToFloor: number
    cpuToFloor: number
    peakMegabytes: number
    editCpuShare: number
    editWallSeconds: number
    editReuse: { segments: number; reused: number }
    editIsIdentical: boolean
    /** With so many threads the film was the same bytes; none where it was not. */
    sameBytesWithThreads: number[]
  }
  remotion: Record<'ours' | 'defaults' | 'best', Timing>
  generate: Record<
    'ai_image' | 'mixed' | 'stock_footage',
    { seconds: number; floor: { seconds: number }; pictures: number }
  >
  webhooks: {
    load: { perSecond: number }
    latency: { p50Ms: number; p99Ms: number }
    backlog: { deliveries: number; perSecond: number }
    ceiling: { perSecond: number }
    burst: { perSecond: number }
    hang: { p99Ms: number }
    late: { p99Ms: number }
    hostility: { receivers: number; attempts: number; longestMs: number; rssRisenBytes: number }
  }
  automations: {
    /** How many are due at once, and how many where the sweeper's cost is measured. */
    due: number
    few: number
    alone: Sweep
    among: Sweep
    all: Sweep
    growth: { units: number }
  }
  /** `bareMegabytes`: of a process that does nothing. */
  upload: { megabytes: number; bareMegabytes: number }
  load: {
    load: { workspaces: number; videosEach: number; warmUpSeconds: number; seconds: number; perSecond: number }
    /** By what was asked for, and together. */
    classes: Record<string, LatencySummary>
    all: LatencySummary
    /** By code, how many of all: empty where all went well. */
    errors: Record<string, number>
    /** By how much later than meant requests were sent, 99 of 100 of them. */
    sentLateMs: number
    openAtMost: number
    memory: {
      /** After each of the parts of the run, all garbage collected. */
      heldMegabytes: number[]
      heldMegabytesPerMinute: number
      rssMegabytes: { first: number; last: number }
    }
    service: { cpuShare: number }
  }
  api: {
    connections: number
    rows: {
      route: string
      read: number
      write: number
      calls: number
      p50Ms: number
      p99Ms: number
      perSecond: number
    }[]
  }
  lists: {
    sizes: number[]
    costs: Record<string, { units: number; ms: number }[]>
    /** Of the orders that the index has. */
    spread: number
    searchUnitsPer10000: number
  }
  cold: {
    emptyMs: number
    functions: number
    largestBytes: number
    slowestOverEmptyMs: number
    medianOverEmptyMs: number
  }
  usage: UsageFigures
}

/** What ticks of the sweeper took until all were decided. */
interface Sweep {
  ticks: number
  seconds: number
  cpuSeconds: number
  read: number
  write: number
}

export type BenchName = keyof Figures

export type BenchGoal = { most: number } | { least: number }

export const goals = {
  render: {
    wallToFloor: { most: 1.35 },
    cpuToFloor: { most: 1.4 },
    peakMegabytes: { most: 600 },
    editCpuShare: { most: 0.1 },
    editWallSeconds: { most: 2.5 },
  },
  /** How many times as long as ours it takes. */
  remotion: { defaults: { least: 8 }, best: { least: 5 } },
  generate: { seconds: { most: 12 } },
  webhooks: {
    p50Ms: { most: 300 },
    p99Ms: { most: 2_000 },
    perSecond: { least: 300 },
    p99RisenMs: { most: 2_000 },
    longestMs: { most: 8_500 },
    rssRisenMegabytes: { most: 64 },
  },
  /** `growth`: of what a tick costs, where there are more that are not due. */
  automations: { seconds: { most: 60 }, growth: { most: 1.25 } },
  upload: { megabytes: { most: 120 } },
  load: { errors: { most: 0 }, heldMegabytesPerMinute: { most: 1 } },
  /** What a page may cost more than in the smallest library, and a search for each 10,000 videos. */
  lists: { spread: { most: 0.2 }, searchUnitsPer10000: { most: 40 } },
} satisfies Record<string, Record<string, BenchGoal>>

export const meetsGoal = (figure: number, goal: BenchGoal): boolean =>
  'most' in goal ? figure <= goal.most : figure >= goal.least
