/** The events that webhooks deliver. Each is written in the transaction of the change that it reports. */

import type { JobError } from '../core/failures.ts'
import { deterministicId } from '../core/id.ts'
import type { PlatformId } from '../core/platform.ts'
import type { Blocker, StopKind } from './automation.ts'
import type { Video } from './video.ts'

export const eventTypes = [
  'video.created',
  'video.generation_completed',
  'video.generation_failed',
  'video.render_completed',
  'video.render_failed',
  'video.scheduled',
  'video.published',
  'video.publish_failed',
  'automation.clip_created',
  'automation.blocked',
  'automation.stopped',
] as const
export type EventType = (typeof eventTypes)[number]

const snapshotFields = [
  'id',
  'title',
  'type',
  'subType',
  'isAutomation',
  'parentVideoId',
  'durationSeconds',
  'media',
  'process',
  'render',
  'publish',
] as const satisfies (keyof Video)[]

/** The part of a video that events contain, as it was at the time of the event. */
export type VideoSnapshot = Pick<Video, (typeof snapshotFields)[number]>

/** The part of an automation that events contain. */
export interface AutomationSnapshot {
  id: string
  title: string
  status: 'active' | 'paused'
  publishing: { profileId: string | null; platforms: PlatformId[] }
  autoRefill: boolean
  lastRunAt: string | null
  health: { ready: boolean; blockers: Blocker[]; nextScheduledAt: string | null }
  stopped: { reason: string; kind: StopKind; label: string; detail: string; stoppedAt: string } | null
}

/** The facts of each event type. */
export interface EventFacts {
  'video.created': { video: VideoSnapshot }
  'video.generation_completed': { video: VideoSnapshot }
  'video.generation_failed': { video: VideoSnapshot; error: JobError }
  'video.render_completed': { video: VideoSnapshot }
  'video.render_failed': { video: VideoSnapshot; error: JobError }
  'video.scheduled': { video: VideoSnapshot; scheduledAt: string; platforms: PlatformId[] }
  /** `platforms`: those that were published to. */
  'video.published': { video: VideoSnapshot; platforms: PlatformId[] }
  'video.publish_failed': { video: VideoSnapshot; error: JobError }
  'automation.clip_created': { automation: AutomationSnapshot; video: VideoSnapshot }
  'automation.blocked': { automation: AutomationSnapshot; blockers: Blocker[] }
  'automation.stopped': { automation: AutomationSnapshot; reason: string; kind: StopKind }
}

/** An event of one type, or of any type. */
export type DomainEvent<Type extends EventType = EventType> = {
  [One in Type]: { id: string; type: One; createdAt: string; facts: EventFacts[One] }
}[Type]

/** An event with a deterministic id, so that it is published once per cause: a run, or a record's version if there is no run. */
export function newEvent<Type extends EventType>(type: Type, facts: EventFacts[Type], cause: string, now: string) {
  const { video } = facts as { video?: VideoSnapshot }
  const stored = video ? { ...facts, video: snapshot(video) } : facts
  return { id: deterministicId('evt', type, cause), type, createdAt: now, facts: stored } as DomainEvent<Type>
}

const snapshot = (video: VideoSnapshot) =>
  Object.fromEntries(snapshotFields.map((key) => [key, video[key]])) as unknown as VideoSnapshot
