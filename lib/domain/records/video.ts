/** The stored record of a video. Its heavy arrays are separate documents in storage. */
import type { Automation, AutomationRun } from './automation.ts'
import type { Brief } from './brief.ts'
import type { ProcessJob, PublishJob, RenderJob } from './jobs.ts'
import type { Destination } from './profile.ts'
import type { ThemeConfig } from './theme.ts'

export type PurchaseKind = 'sounds' | 'clips'

/** Purchases from vendors for edited scenes on one day (UTC), by kind; `held` are reservations by `<kind>#<run>`. */
export type DailyPurchases = { day: string; held?: Record<string, number> } & Record<PurchaseKind, number>

/** Storage keys; the API shows URLs made from them. */
export interface MediaKeys {
  sourceKey: string | null
  audioKey: string | null
  captionsKey: string | null
  thumbnailKey: string | null
  renderKey: string | null
  /** Size of the render. */
  bytes: number | null
  /** The `contentVersion` that the render shows; absent in older records. */
  renderedVersion?: number
  /** Facts of the render, independent of later edits; absent in older records. */
  film?: RenderFacts
}

/** Frame size in pixels and duration of a render. */
export interface RenderFacts {
  width: number
  height: number
  durationMs: number
}

export const timelineNames = ['captions', 'captionsPages', 'bRolls', 'presentationScenes', 'scenes'] as const

export type TimelineName = (typeof timelineNames)[number]

export interface Video {
  id: string
  workspaceId: string
  /** Optimistic lock: incremented by every decision. */
  version: number
  /** Incremented by every edit of the client and by every generation. */
  contentVersion: number
  /** The newest `contentVersion` that a render may show differently; absent: the current one. */
  shownVersion?: number
  /** The `contentVersion` of the newest edit that cleared the render: a render of an older version is not shown. */
  clearedVersion: number
  title: string
  /** True until the client sets a title; until then a new script renames the video. */
  titleIsWorking: boolean
  type: 'video' | 'faceless' | 'ai'
  subType: string | null
  /** True for a blueprint, which has an `automation`. */
  isAutomation: boolean
  parentVideoId: string | null
  brief: Brief
  mood: string | null
  presentationMood: string | null
  durationSeconds: number | null
  media: MediaKeys
  process: ProcessJob | null
  render: RenderJob | null
  publish: PublishJob | null
  config: ThemeConfig
  /** Storage keys of the heavy arrays, each an immutable document. */
  timelines: Partial<Record<TimelineName, string>>
  /** Storage key of the script that was last written or spoken; absent in older records and for uploads. */
  scriptKey?: string
  /** Lines that name the sources and authors of the last generation, where a licence requires it; absent if none. */
  credits?: string[]
  /** The b-rolls as last planned: if `timelines.bRolls` differs, the client has edited them. */
  plannedBRolls?: string
  /** The scenes as last generated, and their script: if `timelines.scenes` differs, the client has edited them. */
  plannedScenes?: { scenes: string; script: string }
  /** Where it was last published, or where its automation publishes. */
  destination?: Destination
  /** Deduplication of posts in the last 24 hours: hash of platform account and caption, to the time until which it is blocked. */
  posted?: Record<string, string>
  /** Set on blueprints and former blueprints. */
  automation?: Automation
  /** Set on a clip that an automation made or adopted. */
  run?: AutomationRun
  /** Set on a variation: the seed that makes its scripts differ from those of its source. */
  variation?: string
  /** Vendor purchases for edited scenes on one day; absent if none. */
  purchases?: DailyPurchases
  createdAt: string
  updatedAt: string
  /** When the sweeper checks the open jobs and the next slot; null if there are none. */
  dueAt: string | null
}
