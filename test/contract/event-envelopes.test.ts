/** The posted bodies: each event has exactly the keys of the catalogue, and each body conforms to its schema. */
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../lib/contract/openapi/document.ts'
import { exampleEventEnvelopes } from '../../lib/contract/openapi/examples/index.ts'
import { exampleTestEvent } from '../../lib/contract/openapi/examples/webhooks.ts'
import { eventEnvelopes, testEventEnvelope } from '../../lib/contract/resources/events.ts'
import { eventEnvelopeView } from '../../lib/contract/views/events.ts'
import type { AutomationSnapshot, DomainEvent, EventFacts, EventType } from '../../lib/domain/records/event.ts'
import { eventTypes, newEvent } from '../../lib/domain/records/event.ts'
import type { PublishJob } from '../../lib/domain/records/jobs.ts'
import { completeProcess, completeRender } from '../../lib/domain/videos/complete-job.ts'
import { createVideo } from '../../lib/domain/videos/create-video.ts'
import { failJob, requestRender } from '../../lib/domain/videos/job-transitions.ts'
import {
  at,
  decidedVideo,
  generationResult,
  renderResult,
  videoInputWith,
  videoThatIs,
  workspaceOn,
} from '../domain/support/videos.ts'

const addressOf = (key: string) => `https://m.test/${key}`
const envelopeOf = (event: DomainEvent) => eventEnvelopeView('wsp_1', event, 7, addressOf)

/** The keys of an object; `any` where the catalogue does not specify them. */
interface Shape {
  [name: string]: Shape | 'any'
}
const keys = (names: string): Shape => Object.fromEntries(names.split(' ').map((name) => [name, 'any']))

const subject = keys('id title')
const clip = keys('id title isClip parentVideoId')
const error = keys('code message blocked action')
const automation = keys('id title status publishing autoRefill lastRunAt')

/** The table "Event catalog" of the specification, word for word. */
const catalogue: Record<EventType, Shape> = {
  'video.created': {
    video: keys('id title type subType isAutomation isClip parentVideoId process render publish'),
  },
  'video.generation_completed': {
    video: { ...keys('id title type durationSeconds process render'), media: keys('audioUrl renderUrl') },
  },
  'video.generation_failed': { video: subject, error },
  'video.render_completed': {
    video: { ...keys('id title durationSeconds render'), media: keys('thumbnailUrl renderUrl bytes') },
  },
  'video.render_failed': { video: subject, error },
  'video.scheduled': { video: clip, ...keys('scheduledAt platforms') },
  'video.published': {
    video: {
      ...subject,
      publish: keys('status publishedAt platforms missingPlatforms unhealthyPlatforms caption error'),
    },
    platforms: 'any',
  },
  'video.publish_failed': { video: subject, error },
  'automation.clip_created': { automation, video: { ...clip, process: 'any' } },
  'automation.blocked': { automation: { ...automation, health: 'any' }, blockers: 'any' },
  'automation.stopped': { automation: { ...automation, stopped: 'any' }, ...keys('reason kind') },
}

/** The keys of a value, to the depth of a shape. */
const shapeOf = (value: unknown, shape: Shape | 'any'): Shape | 'any' =>
  shape === 'any'
    ? 'any'
    : Object.fromEntries(
        Object.entries(value as object).map(([name, inner]) => [name, shapeOf(inner, shape[name] ?? 'any')]),
      )

const starter = workspaceOn('starter')
const queued = videoThatIs.queued()
const rendering = videoThatIs.rendering(decidedVideo(requestRender(starter, videoThatIs.generated(), 'run_2', at(3))))
const ready = decidedVideo(completeRender(rendering, 'run_2', 0, renderResult, at(9)))
const failure = { code: 'timeout' as const, message: 'Late.', blocked: false }
const limit = { code: 'warning-no-credits' as const, message: 'None.', blocked: true, action: 'credits' as const }

const publish: PublishJob = {
  runId: 'run_3',
  queuedAt: at(1),
  deadlineAt: at(59),
  profileId: 'prf_1',
  film: null,
  results: [
    { accountId: 'acc_1', platform: 'tiktok', status: 'COMPLETED', url: 'https://tiktok.example/1', error: limit },
  ],
  status: 'COMPLETED',
  scheduledAt: at(1),
  startedAt: at(2),
  publishedAt: at(3),
  failedAt: null,
  platforms: ['tiktok'],
  missingPlatforms: ['youtube'],
  unhealthyPlatforms: ['reddit'],
  caption: 'Calm',
  error: limit,
}
const blockers = [{ id: 'no-accounts', label: 'No account' }]
const blank: AutomationSnapshot = {
  id: 'vid_2',
  title: 'Calm',
  status: 'active',
  publishing: { profileId: null, platforms: [] },
  autoRefill: true,
  lastRunAt: null,
  health: { ready: false, blockers, nextScheduledAt: null },
  stopped: null,
}
const stopped = { reason: 'no_credits', kind: 'transient' as const, label: 'x', detail: 'y', stoppedAt: at(4) }
const full: AutomationSnapshot = {
  ...blank,
  status: 'paused',
  publishing: { profileId: 'prf_1', platforms: ['tiktok'] },
  lastRunAt: at(3),
  health: { ready: true, blockers: [], nextScheduledAt: at(60) },
  stopped,
}

const eventOf = <Type extends EventType>(type: Type, facts: EventFacts[Type]) => newEvent(type, facts, 'run_9', at(9))
const clipOf = { ...queued, parentVideoId: 'vid_0' }

/** Envelopes from today's rules, and for the rest the fullest and the emptiest possible ones. */
const events: DomainEvent[] = [
  ...createVideo(starter, videoInputWith(), { videoId: 'vid_1', runId: 'run_1' }, at(0)).events,
  ...completeProcess(starter, videoThatIs.generating(), 'run_1', generationResult, at(2)).events,
  ...failJob(queued, 'process', 'run_1', failure, at(2)).events,
  ...completeRender(rendering, 'run_2', 0, renderResult, at(9)).events,
  ...failJob(rendering, 'render', 'run_2', limit, at(9)).events,
  eventOf('video.created', { video: { ...ready, publish, parentVideoId: 'vid_0' } }),
  eventOf('video.scheduled', { video: clipOf, scheduledAt: at(60), platforms: ['tiktok', 'bluesky'] }),
  eventOf('video.published', { video: { ...ready, publish }, platforms: ['tiktok'] }),
  eventOf('video.published', { video: { ...ready, publish: { ...publish, error: null } }, platforms: [] }),
  eventOf('video.publish_failed', { video: ready, error: failure }),
  eventOf('automation.clip_created', { automation: blank, video: clipOf }),
  eventOf('automation.clip_created', { automation: full, video: { ...clipOf, process: null } }),
  eventOf('automation.blocked', { automation: blank, blockers }),
  eventOf('automation.stopped', { automation: full, reason: 'no_credits', kind: 'transient' }),
]

describe('the envelope of an event', () => {
  it('is tested here for every type', () => {
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(eventTypes))
  })

  it.each(events)('of $type has exactly the keys of the catalogue', (event) => {
    const envelope = envelopeOf(event)
    expect(Object.keys(envelope)).toEqual(['event', 'workspaceId', 'createdAt', 'sequence', 'data'])
    expect(envelope).toMatchObject({ event: event.type, workspaceId: 'wsp_1', createdAt: event.createdAt, sequence: 7 })
    expect(shapeOf(envelope.data, catalogue[event.type])).toEqual(catalogue[event.type])
  })

  it.each(events)('of $type conforms to its schema, without extra keys', (event) => {
    const envelope = JSON.parse(JSON.stringify(envelopeOf(event)))
    expect(v.parse(eventEnvelopes[event.type], envelope)).toEqual(envelope)
  })

  it('shows jobs without internal fields, and media as URLs', () => {
    const { data } = envelopeOf(eventOf('video.generation_completed', { video: ready }))
    expect(JSON.stringify(data)).not.toMatch(/runId|attempt|deadlineAt|wishes|manifestKey|charge|Key"/)
    expect(data.video).toMatchObject({
      media: { audioUrl: addressOf(generationResult.audioKey), renderUrl: addressOf(renderResult.renderKey) },
    })
  })

  it('shows all four keys of an error, even when no action is possible', () => {
    const errorOf = (event: DomainEvent) => envelopeOf(event).data.error
    expect(errorOf(eventOf('video.publish_failed', { video: ready, error: failure }))).toEqual({
      ...failure,
      action: null,
    })
    expect(errorOf(eventOf('video.render_failed', { video: ready, error: limit }))).toEqual(limit)
  })
})

describe('the OpenAPI document', () => {
  const { webhooks } = openApiDocument()

  it('has an entry for each event and for the test delivery', () => {
    expect(Object.keys(webhooks)).toEqual([...eventTypes, 'webhook.test'])
  })

  it.each(Object.entries(exampleEventEnvelopes()))('shows for %s a body as in the catalogue', (type, example) => {
    const shape = catalogue[type as EventType]
    expect(shapeOf(example.data, shape)).toEqual(shape)
    expect(webhooks[type]?.post).toMatchObject({
      requestBody: { content: { 'application/json': { example, schema: { $ref: expect.any(String) } } } },
    })
  })

  it('shows a test delivery that its schema accepts', () => {
    expect(v.parse(testEventEnvelope, exampleTestEvent)).toEqual(exampleTestEvent)
  })
})
