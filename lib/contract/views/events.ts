/** Events as they are posted: the envelope, and the keys of `data` that the catalogue names for each type. */
import type { DomainEvent, EventType, Facts, ToldAutomation, ToldVideo } from '../../domain/records/event.ts'
import type { AddressOf } from './index.ts'
import { errorView, mediaView, processView, publishView, renderView } from './index.ts'

/** The body that is signed and posted. `sequence` grows within a workspace, whatever happens after whatever. */
export interface EventEnvelope {
  event: EventType
  workspaceId: string
  createdAt: string
  sequence: number
  data: Record<string, unknown>
}

export function eventEnvelope(
  workspaceId: string,
  event: DomainEvent,
  sequence: number,
  addressOf: AddressOf,
): EventEnvelope {
  const { type, createdAt, facts } = event
  // TypeScript does not see that both come from one event.
  const data = (dataOf[type] as (facts: Facts[EventType], addressOf: AddressOf) => Record<string, unknown>)(
    facts,
    addressOf,
  )
  return { event: type, workspaceId, createdAt, sequence, data }
}

/** `data` of each type (specification, "Event catalog"). */
const dataOf: { [Type in EventType]: (facts: Facts[Type], addressOf: AddressOf) => Record<string, unknown> } = {
  'video.created': ({ video }) => ({
    video: {
      ...pick(video, 'id', 'title', 'type', 'subType', 'isAutomation'),
      ...descent(video),
      ...jobs(video),
    },
  }),
  'video.generation_completed': ({ video }, addressOf) => ({
    video: {
      ...pick(video, 'id', 'title', 'type', 'durationSeconds'),
      media: pick(mediaView(video.media, addressOf), 'audioUrl', 'renderUrl'),
      ...pick(jobs(video), 'process', 'render'),
    },
  }),
  'video.generation_failed': ({ video, error }) => ({ video: pick(video, 'id', 'title'), error: errorView(error) }),
  'video.render_completed': ({ video }, addressOf) => ({
    video: {
      ...pick(video, 'id', 'title', 'durationSeconds'),
      media: pick(mediaView(video.media, addressOf), 'thumbnailUrl', 'renderUrl', 'bytes'),
      render: renderView(video.render),
    },
  }),
  'video.render_failed': ({ video, error }) => ({ video: pick(video, 'id', 'title'), error: errorView(error) }),
  'video.scheduled': ({ video, scheduledAt, platforms }) => ({
    video: { ...pick(video, 'id', 'title'), ...descent(video) },
    scheduledAt,
    platforms,
  }),
  'video.published': ({ video, platforms }) => ({
    video: { ...pick(video, 'id', 'title'), publish: publication(video) },
    platforms,
  }),
  'video.publish_failed': ({ video, error }) => ({ video: pick(video, 'id', 'title'), error: errorView(error) }),
  'automation.clip_created': ({ automation, video }) => ({
    automation: shown(automation),
    video: { ...pick(video, 'id', 'title'), ...descent(video), process: processView(video.process) },
  }),
  'automation.blocked': ({ automation, blockers }) => ({
    automation: { ...shown(automation), health: automation.health },
    blockers,
  }),
  'automation.stopped': ({ automation, reason, kind }) => ({
    automation: { ...shown(automation), stopped: automation.stopped },
    reason,
    kind,
  }),
}

const descent = ({ parentVideoId }: ToldVideo) => ({ isClip: parentVideoId !== null, parentVideoId })

const shown = (automation: ToldAutomation) =>
  pick(automation, 'id', 'title', 'status', 'publishing', 'autoRefill', 'lastRunAt')

const publication = ({ publish }: ToldVideo) =>
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

const jobs = ({ process, render, publish }: ToldVideo) => ({
  process: processView(process),
  render: renderView(render),
  publish: publishView(publish),
})

const pick = <Record extends object, Name extends keyof Record>(from: Record, ...names: Name[]): Pick<Record, Name> =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<Record, Name>
