import type { Automation, AutomationRun } from './automation.ts'
import type { Brief } from './brief.ts'
import type { ProcessJob, PublishJob, RenderJob } from './jobs.ts'
import type { Destination } from './profile.ts'
import type { ThemeConfig } from './theme.ts'

export type PurchaseKind = 'sounds' | 'clips'

/** What renders of one day have bought for a video and its clips, and by kind and run what others are just about to buy. */
export type DailyPurchases = { day: string; held?: Record<string, number> } & Record<PurchaseKind, number>
/** Places in storage. What a client sees are addresses made from these. */
export interface MediaKeys {
  sourceKey: string | null
  audioKey: string | null
  captionsKey: string | null
  thumbnailKey: string | null
  renderKey: string | null
  /** Size of the rendered file. */
  bytes: number | null
  /** What the film is, whatever has become of the video since; absent of films that were made before it was told. */
  film?: RenderFacts
}

/** Of a rendered film; its picture in pixels. */
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
  /** Counts every decision on the record: a commit holds only on the version it decided on. */
  version: number
  /** Counts the edits that change what a render shows. */
  contentVersion: number
  /** The `contentVersion` of the newest edit that cleared the film: one rendered from an older version is not shown. */
  clearedVersion: number
  title: string
  /** True until the client gives a title; until then a new script renames the video. */
  titleIsWorking: boolean
  type: 'video' | 'faceless' | 'ai'
  subType: string | null
  /** Whether it is a blueprint; then it has an `automation`. */
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
  /** The b-rolls as they were last planned: where `timelines.bRolls` is another document, the client has edited them. */
  plannedBRolls?: string
  /** The scenes as they were last written, and the script that they tell: where `timelines.scenes` is another document, the client has edited them. */
  plannedScenes?: { scenes: string; script: string }
  /** Where it was last published to, or where its automation publishes. */
  destination?: Destination
  /** What was posted in the last 24 hours, and until when it may not be repeated: by the platform's account and the caption, hashed. */
  posted?: Record<string, string>
  /** Of a blueprint, and of what was one. */
  automation?: Automation
  /** Of a clip that an automation made, or took. */
  run?: AutomationRun
  /** Set on a variation: its scripts are other ones than those of its source, chosen by this seed. */
  variation?: string
  /** What renders of its edits have bought of vendors on one day; absent where they bought nothing. */
  purchases?: DailyPurchases
  createdAt: string
  updatedAt: string
  /** When the sweeper should look at an open job; null while nothing is open. */
  dueAt: string | null
}
