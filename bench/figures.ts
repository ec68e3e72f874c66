/**
 * The figures of each bench and their goals: the source of `docs/operations/benchmarks.md`. Keys are those of stored
 * results.
 */
import type { HostileFigures } from './load/hostile-workspace.ts'
import type { LatencySummary } from './load/statistics.ts'
import type { UsageFigures } from './usage/figures.ts'

interface Timing {
  wallSeconds: number
  cpuSeconds: number
}

/** A stored result may contain further figures. */
export interface Figures {
  render: {
    /** Durations of the two videos. */
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
    /** The thread counts with identical bytes; empty where they differ. */
    sameBytesWithThreads: number[]
  }
  /** CPU seconds at 1080x1920 on the machine of the run; `start`: of a render apart from its frames. */
  lane: { startSeconds: number; stillFrameSeconds: number; clipFrameSeconds: number }
  /** From the request that replaces a word to the video that shows it; `together`: to the last of several at once. */
  edits: { seconds: number; together: { edits: number; seconds: number } }
  remotion: Record<'ours' | 'defaults' | 'best', Timing>
  generate: Record<
    'ai_image' | 'mixed' | 'stock_footage',
    { seconds: number; floor: { seconds: number }; pictures: number }
  >
  /** Time of a brief until its script is written, beyond the model's own; `requests`: to the model's server, for each brief. */
  script: { briefs: number; modelMs: number; p50Ms: number; p99Ms: number; requests: number }
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
    /** Automations that are due at once, and those of the measurement of the sweeper's cost. */
    due: number
    few: number
    alone: Sweep
    among: Sweep
    all: Sweep
    growth: { units: number }
  }
  /**
   * Drawn while it plays; from an edit, and from opening, to the first frame that shows it; of the console, compressed
   * bytes before the editor opens, and the time to its first content.
   */
  preview: {
    framesPerSecond: number
    editMs: number
    firstFrameMs: number
    initialBytes: number
    firstContentMs: number
  }
  /** `bareMegabytes`: memory of an idle process. */
  upload: { megabytes: number; bareMegabytes: number }
  load: {
    load: { workspaces: number; videosEach: number; warmUpSeconds: number; seconds: number; perSecond: number }
    /** By request class. */
    classes: Record<string, LatencySummary>
    all: LatencySummary
    /** Counts by error code. */
    errors: Record<string, number>
    /** 99th percentile of the delay of requests behind their schedule. */
    sentLateMs: number
    openAtMost: number
    memory: {
      /** After each part of the run and a garbage collection. */
      heldMegabytes: number[]
      heldMegabytesPerMinute: number
      rssMegabytes: { first: number; last: number }
    }
    service: { cpuShare: number }
  }
  hostility: Hostility
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
    /** Largest relative difference between library sizes, of the indexed orders. */
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

/** Ordinary traffic of the neighbours, without and with a hostile workspace. */
export interface Hostility {
  rounds: number
  /** Of each measurement, one without and one with a hostile workspace a round. */
  seconds: number
  /** By method. */
  classes: Record<string, { alone: LatencySummary; beside: LatencySummary; p99Ratio: number }>
  renders: { alone: RenderSummary; beside: RenderSummary; ratio: number }
  /** Error responses to neighbours, by status and code. */
  errors: Record<string, number>
  /** After garbage collections. `held`: heap and external memory of the thread that handles requests, without compiled code. */
  memory: { heldMegabytes: BeforeAfter; rssMegabytes: BeforeAfter }
  hostile: HostileFigures
}

interface BeforeAfter {
  before: number
  after: number
}

interface RenderSummary {
  renders: number
  medianSeconds: number
}

/** Cost of the sweeper's ticks until all slots are decided. */
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
    wallToFloor: { most: 1.2 },
    cpuToFloor: { most: 1.2 },
    peakMegabytes: { most: 600 },
    editCpuShare: { most: 0.04 },
    editWallSeconds: { most: 1.2 },
  },
  edits: { seconds: { most: 2 }, together: { most: 15 } },
  /** Factor of the wall time of ours. */
  remotion: { defaults: { least: 8 }, best: { least: 5 } },
  generate: { seconds: { most: 12 } },
  script: { p50Ms: { most: 200 } },
  webhooks: {
    p50Ms: { most: 300 },
    p99Ms: { most: 2_000 },
    perSecond: { least: 300 },
    p99RisenMs: { most: 2_000 },
    longestMs: { most: 8_500 },
    rssRisenMegabytes: { most: 64 },
  },
  /** `growth`: of the cost of a tick with more automations that are not due. */
  automations: { seconds: { most: 60 }, growth: { most: 1.25 } },
  preview: {
    ...{ framesPerSecond: { least: 29 }, editMs: { most: 100 } },
    ...{ initialBytes: { most: 60_000 }, firstContentMs: { most: 300 } },
  },
  upload: { megabytes: { most: 120 } },
  load: { errors: { most: 0 }, heldMegabytesPerMinute: { most: 1 } },
  /** `ratio`: of p99 and of the time of a render, with to without the hostile workspace. */
  hostility: { ratio: { most: 2 }, errors: { most: 0 }, heldRatio: { most: 1.1 } },
  /** Additional cost of a page compared to the smallest library, and cost of a search per 10,000 videos. */
  lists: { spread: { most: 0.2 }, searchUnitsPer10000: { most: 40 } },
} satisfies Record<string, Record<string, BenchGoal>>

export const meetsGoal = (figure: number, goal: BenchGoal): boolean =>
  'most' in goal ? figure <= goal.most : figure >= goal.least
