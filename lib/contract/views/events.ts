/** Builds the bodies of events: the envelope, and the fields of `data` for each type. */
import type {
  AutomationSnapshot,
  DomainEvent,
  EventFacts,
  EventType,
  VideoSnapshot,
} from '../../domain/records/event.ts'
import type { JournalEntry } from '../../domain/webhooks/event-journal.ts'
import type { AnyEventEnvelope } from '../resources/events.ts'
import type { MediaUrlFor } from './index.ts'
import { errorView, mediaView, processView, publishView, renderView } from './index.ts'

/** The signed body. `sequence` counts the events of a workspace; a later cause has a higher number. */
export interface EventEnvelope {
  event: EventType
  workspaceId: string
  createdAt: string
  sequence: number
  data: Record<string, unknown>
}

export function eventEnvelopeView(
  workspaceId: string,
  event: DomainEvent,
  sequence: number,
  mediaUrl: MediaUrlFor,
): EventEnvelope {
  const { type, createdAt, facts } = event
  // The cast is safe: `type` and `facts` come from one event.
  const data = (dataOf[type] as (facts: EventFacts[EventType], mediaUrl: MediaUrlFor) => Record<string, unknown>)(
    facts,
    mediaUrl,
  )
  return { event: type, workspaceId, createdAt, sequence, data }
}

/** An entry of the journal: what webhooks deliver, and its id. */
export const journalEventView = ({ id, payload }: JournalEntry): AnyEventEnvelope => ({ id, ...JSON.parse(payload) })

/** `data` of each type (specification, "Event catalog"). */
const dataOf: { [Type in EventType]: (facts: EventFacts[Type], mediaUrl: MediaUrlFor) => Record<string, unknown> } = {
  'video.created': ({ video }) => ({
    video: {
      ...pick(video, 'id', 'title', 'type', 'subType', 'isAutomation'),
      ...lineageOf(video),
      ...jobViews(video),
    },
  }),
  'video.generation_completed': ({ video }, mediaUrl) => ({
    video: {
      ...pick(video, 'id', 'title', 'type', 'durationSeconds'),
      media: pick(mediaView(video.media, mediaUrl), 'audioUrl', 'renderUrl'),
      ...pick(jobViews(video), 'process', 'render'),
    },
  }),
  'video.generation_failed': ({ video, error }) => ({ video: pick(video, 'id', 'title'), error: errorView(error) }),
  'video.render_completed': ({ video }, mediaUrl) => ({
    video: {
      ...pick(video, 'id', 'title', 'durationSeconds'),
      media: pick(mediaView(video.media, mediaUrl), 'thumbnailUrl', 'renderUrl', 'bytes'),
      render: renderView(video.render),
    },
  }),
  'video.render_failed': ({ video, error }) => ({ video: pick(video, 'id', 'title'), error: errorView(error) }),
  'video.scheduled': ({ video, scheduledAt, platforms }) => ({
    video: { ...pick(video, 'id', 'title'), ...lineageOf(video) },
    scheduledAt,
    platforms,
  }),
  'video.published': ({ video, platforms }) => ({
    video: { ...pick(video, 'id', 'title'), publish: publishSummary(video) },
    platforms,
  }),
  'video.publish_failed': ({ video, error }) => ({ video: pick(video, 'id', 'title'), error: errorView(error) }),
  'automation.clip_created': ({ automation, video }) => ({
    automation: automationSummary(automation),
    video: { ...pick(video, 'id', 'title'), ...lineageOf(video), process: processView(video.process) },
  }),
  'automation.blocked': ({ automation, blockers }) => ({
    automation: { ...automationSummary(automation), health: automation.health },
    blockers,
  }),
  'automation.stopped': ({ automation, reason, kind }) => ({
    automation: { ...automationSummary(automation), stopped: automation.stopped },
    reason,
    kind,
  }),
}

const lineageOf = ({ parentVideoId }: VideoSnapshot) => ({ isClip: parentVideoId !== null, parentVideoId })

const automationSummary = (automation: AutomationSnapshot) =>
  pick(automation, 'id', 'title', 'status', 'publishing', 'autoRefill', 'lastRunAt')

const publishSummary = ({ publish }: VideoSnapshot) =>
  publish &&
  pick(
    publishView(publish)!,
    'status',
    'publishedAt',
    'platforms',
    'missingPlatforms',
    'unhealthyPlatforms',
    'caption',
    'error',
  )

const jobViews = ({ process, render, publish }: VideoSnapshot) => ({
  process: processView(process),
  render: renderView(render),
  publish: publishView(publish),
})

const pick = <Record extends object, Name extends keyof Record>(from: Record, ...names: Name[]): Pick<Record, Name> =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<Record, Name>
