/**
 * Schemas of the bodies posted to webhook endpoints, one per event (specification, "Event catalog"). `views/events.ts` builds
 * the bodies; a test validates them against these schemas.
 */
import * as v from 'valibot'
import type { EventType } from '../../domain/records/event.ts'
import { eventTypes } from '../../domain/records/event.ts'
import type { Schema } from '../route.ts'
import { count, message, recordId, timestamp } from '../schemas.ts'
import { automationItem } from './automations.ts'
import { jobError, media, publishDocument, videoItem } from './index.ts'

const subject = v.pick(videoItem, ['id', 'title'])
const clip = v.pick(videoItem, ['id', 'title', 'isClip', 'parentVideoId'])
const { platforms } = publishDocument.entries
const failure = v.object({ video: subject, error: jobError })
const { stopped } = automationItem.entries
const { blockers } = automationItem.entries.health.entries
const { reason, kind } = stopped.wrapped.entries
const automationFields = ['id', 'title', 'status', 'publishing', 'autoRefill', 'lastRunAt'] as const
const automation = v.pick(automationItem, automationFields)

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
  'automation.blocked': v.object({
    automation: v.pick(automationItem, [...automationFields, 'health']),
    blockers,
  }),
  'automation.stopped': v.object({
    automation: v.pick(automationItem, [...automationFields, 'stopped']),
    reason,
    kind,
  }),
} satisfies Record<EventType, Schema>

const envelopeOf = <const Type extends EventType>(type: Type) =>
  v.object({
    /** Only in the journal. */
    id: v.optional(recordId),
    event: v.literal(type),
    workspaceId: recordId,
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
  workspaceId: recordId,
  createdAt: timestamp,
  data: v.object({ message, webhookId: recordId }),
})
export type TestEventEnvelope = v.InferOutput<typeof testEventEnvelope>
