/** The events that webhooks tell. Each is written in the transaction of the change that it tells of. */
import { idFromCause } from './id.ts'
import type { JobError } from './job.ts'
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

const told = [
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

/** The part of a video that some event shows, as it was when the event happened. */
export type ToldVideo = Pick<Video, (typeof told)[number]>

export interface DomainEvent {
  id: string
  type: EventType
  createdAt: string
  video: ToldVideo
  error: JobError | null
}

/** The same cause never tells the same event twice; `cause` is the run, or the record where there is no run. */
export function videoEvent(
  type: EventType,
  video: Video,
  cause: string,
  now: string,
  error: JobError | null = null,
): DomainEvent {
  const snapshot = Object.fromEntries(told.map((key) => [key, video[key]])) as unknown as ToldVideo
  return { id: idFromCause('evt', type, cause), type, createdAt: now, video: snapshot, error }
}
