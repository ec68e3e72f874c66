/**
 * Schemas of the bodies posted to webhook endpoints, one per event (specification, "Event catalog"). `views/events.ts` builds
 * the bodies; a test validates them against these schemas.
 */
import * as v from 'valibot'
import type { EventType } from '../../domain/records/event.ts'
import { eventTypes } from '../../domain/records/event.ts'
import type { Schema } from '../route.ts'
import { count, timestamp } from '../schemas.ts'
import { jobError, media, platform, publishDocument, videoItem } from './index.ts'

const subject = v.pick(videoItem, ['id', 'title'])
const clip = v.pick(videoItem, ['id', 'title', 'isClip', 'parentVideoId'])
const failure = v.object({ video: subject, error: jobError })
const platforms = v.array(platform.entries.id)

const automation = v.object({
  id: v.string(),
  title: v.string(),
  status: v.picklist(['active', 'paused']),
  publishing: v.object({ profileId: v.nullable(v.string()), platforms }),
  autoRefill: v.boolean(),
  lastRunAt: v.nullable(timestamp),
})
const blockers = v.array(v.object({ id: v.string(), label: v.string() }))
const health = v.object({ ready: v.boolean(), blockers, nextScheduledAt: v.nullable(timestamp) })
const kind = v.picklist(['config', 'transient'])
const stopped = v.object({
  reason: v.string(),
  kind,
  label: v.string(),
  detail: v.string(),
  stoppedAt: timestamp,
})

/** The schema of `data`. */
const eventData = {
  'video.created': v.object({
    video: v.pick(videoItem, [
      'id',
      'title',
      'type',
      'subType',
      'isAutomation',
      'isClip',
      'parentVideoId',
      'process',
      'render',
      'publish',
    ]),
  }),
  'video.generation_completed': v.object({
    video: v.object({
      ...v.pick(videoItem, ['id', 'title', 'type', 'durationSeconds', 'process', 'render']).entries,
      media: v.pick(media, ['audioUrl', 'renderUrl']),
    }),
  }),
  'video.generation_failed': failure,
  'video.render_completed': v.object({
    video: v.object({
      ...v.pick(videoItem, ['id', 'title', 'durationSeconds', 'render']).entries,
      media: v.pick(media, ['thumbnailUrl', 'renderUrl', 'bytes']),
    }),
  }),
  'video.render_failed': failure,
  'video.scheduled': v.object({ video: clip, scheduledAt: timestamp, platforms }),
  'video.published': v.object({
    video: v.object({
      ...subject.entries,
      publish: v.pick(publishDocument, [
        'status',
        'publishedAt',
        'platforms',
        'missingPlatforms',
        'unhealthyPlatforms',
        'caption',
        'error',
      ]),
    }),
    /** The platforms that the video was posted to. */
    platforms,
  }),
  'video.publish_failed': failure,
  'automation.clip_created': v.object({
    automation,
    video: v.object({ ...clip.entries, process: videoItem.entries.process }),
  }),
  'automation.blocked': v.object({ automation: v.object({ ...automation.entries, health }), blockers }),
  'automation.stopped': v.object({
    automation: v.object({ ...automation.entries, stopped: v.nullable(stopped) }),
    reason: v.string(),
    kind,
  }),
} satisfies Record<EventType, Schema>

const envelopeOf = <const Type extends EventType>(type: Type) =>
  v.object({
    /** Only in the journal. */
    id: v.optional(v.string()),
    event: v.literal(type),
    workspaceId: v.string(),
    createdAt: timestamp,
    sequence: count,
    data: eventData[type],
  })

type Envelopes = { [Type in EventType]: ReturnType<typeof envelopeOf<Type>> }

/** The signed body of each event. */
export const eventEnvelopes = Object.fromEntries(eventTypes.map((type) => [type, envelopeOf(type)])) as Envelopes

/** The body of any event but `webhook.test`, and an entry of the journal. */
export const anyEventEnvelope = v.variant('event', Object.values(eventEnvelopes))
export type AnyEventEnvelope = v.InferOutput<typeof anyEventEnvelope>

/** The body of a test delivery. It is not an event, hence it has no `sequence`. */
export const testEventEnvelope = v.object({
  event: v.literal('webhook.test'),
  workspaceId: v.string(),
  createdAt: timestamp,
  data: v.object({ message: v.string(), webhookId: v.string() }),
})
export type TestEventEnvelope = v.InferOutput<typeof testEventEnvelope>
