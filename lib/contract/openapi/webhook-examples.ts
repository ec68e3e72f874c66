/** The webhook examples of the OpenAPI document: every event as the program would post it, and what the routes answer. */

import type { JobError } from '../../domain/core/failures.ts'
import type { Delivery } from '../../domain/records/delivery.ts'
import type { AutomationSnapshot, EventPayloads, EventType } from '../../domain/records/event.ts'
import { eventTypes, newEvent } from '../../domain/records/event.ts'
import type { Video } from '../../domain/records/video.ts'
import type { Webhook } from '../../domain/records/webhook.ts'
import { fanOutDeliveries, recordAttempt, requeueDelivery } from '../../domain/webhooks/delivery.ts'
import { createWebhook, editWebhook } from '../../domain/webhooks/webhook.ts'
import type { Workspace } from '../../domain/workspaces/workspace.ts'
import type { WebhookTest } from '../resources/webhooks.ts'
import type { EventEnvelope } from '../views/events.ts'
import { eventEnvelopeView } from '../views/events.ts'
import type { MediaUrlFor } from '../views/index.ts'
import { deliveryView, newWebhookView, testEventEnvelopeView, webhookView } from '../views/webhooks.ts'
import { examplePublishedVideo } from './publish-examples.ts'

/** The video that the examples tell of, at the moments that events are about. */
export interface ExampleScenario {
  workspace: Workspace
  queued: Video
  generated: Video
  ready: Video
  clip: Video
  /** The time so many seconds after a minute past nine. */
  at: (second: number) => string
  addressOf: MediaUrlFor
}

export const exampleWebhookBodies = {
  createWebhook: {
    url: 'https://example.com/hooks/reelsmith',
    events: ['video.render_completed', 'video.render_failed'],
  },
  editWebhook: { events: ['video.render_completed'], enabled: true },
}

export function exampleEvents({ workspace, at, addressOf, ...moments }: ExampleScenario) {
  const facts = exampleFacts({ workspace, ...moments }, at)
  const envelopes = eventTypes.map((type, index): [EventType, EventEnvelope] => [
    type,
    eventEnvelopeView(
      workspace.id,
      newEvent(type, facts[type], moments.ready.id, at(50 + index)),
      41 + index,
      addressOf,
    ),
  ])
  return Object.fromEntries(envelopes) as Record<EventType, EventEnvelope>
}

function exampleFacts(
  {
    workspace,
    queued,
    generated,
    ready,
    clip,
  }: Pick<ExampleScenario, 'workspace' | 'queued' | 'generated' | 'ready' | 'clip'>,
  at: ExampleScenario['at'],
): EventPayloads {
  const error = (code: JobError['code'], message: string): JobError => ({ code, message, blocked: false })
  const published = examplePublishedVideo(workspace, ready, at)
  const blockers = [{ id: 'no-accounts', label: 'No account is connected for the chosen platforms.' }]
  const automation: AutomationSnapshot = {
    id: 'vid_01kbexampleblueprint',
    title: 'Calm mornings',
    status: 'active',
    publishing: { profileId: 'prf_01kbexample', platforms: ['tiktok', 'youtube'] },
    autoRefill: true,
    lastRunAt: at(40),
    health: { ready: true, blockers: [], nextScheduledAt: '2026-11-03T09:00:00.000Z' },
    stopped: null,
  }
  const reason = 'publish_no_accounts'
  const stopped = {
    reason,
    kind: 'config' as const,
    label: 'No account',
    detail: blockers[0]!.label,
    stoppedAt: at(60),
  }
  return {
    'video.created': { video: queued },
    'video.generation_completed': { video: generated },
    'video.generation_failed': { video: queued, error: error('voice-failed', 'The narration could not be spoken.') },
    'video.render_completed': { video: ready },
    'video.render_failed': { video: generated, error: error('timeout', 'The job did not finish before its deadline.') },
    'video.scheduled': { video: clip, scheduledAt: '2026-11-03T09:00:00.000Z', platforms: ['tiktok', 'youtube'] },
    'video.published': { video: published, platforms: published.publish!.platforms },
    'video.publish_failed': { video: ready, error: error('publish-failed', 'The video could not be published.') },
    'automation.clip_created': { automation, video: clip },
    'automation.blocked': {
      automation: { ...automation, health: { ready: false, blockers, nextScheduledAt: null } },
      blockers,
    },
    'automation.stopped': { automation: { ...automation, status: 'paused', stopped }, reason, kind: stopped.kind },
  }
}

const webhookId = 'whk_01kbexample'

export const exampleTestEvent = testEventEnvelopeView(
  { id: webhookId, workspaceId: 'wsp_01kbexample' },
  '2026-11-02T09:02:10.000Z',
)

/** What the routes under /webhooks answer, by the name of the row. */
export function exampleWebhookResponses(life: ExampleScenario): Record<string, unknown> {
  const { workspace, at } = life
  const made = { id: webhookId, sealedSecret: '' }
  const { webhook } = createWebhook(workspace, exampleWebhookBodies.createWebhook, made, at(5))
  const delivered = exampleDelivery(webhook, life)
  const again = requeueDelivery(delivered, webhook, 'dlv_01kbexampleagain', at(59)).delivery
  const used = { ...webhook, lastDeliveryAt: delivered.deliveredAt }
  const paging = { limit: 50, offset: 0, total: 1 }
  const test: WebhookTest = {
    event: 'webhook.test',
    url: webhook.url,
    delivered: true,
    responseStatus: 204,
    durationMs: 87,
    error: null,
  }
  return {
    createWebhook: newWebhookView(webhook, 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='),
    listWebhooks: { data: [webhookView(used)], paging },
    getWebhook: webhookView(used),
    editWebhook: webhookView(editWebhook(used, exampleWebhookBodies.editWebhook, at(58)).webhook),
    deleteWebhook: { ok: true, droppedDeliveries: 2 },
    testWebhook: test,
    listDeliveries: { data: [deliveryView(delivered)], paging },
    resendDelivery: deliveryView(again),
  }
}

function exampleDelivery(webhook: Webhook, life: ExampleScenario): Delivery {
  const payload = exampleEvents(life)['video.render_completed']
  const event = { id: 'evt_01kbexample', type: payload.event, createdAt: payload.createdAt }
  const [queued] = fanOutDeliveries(event, JSON.stringify(payload), [webhook])
  const pace = { jitter: 0.5, timeScale: 1 }
  const attempted = recordAttempt(queued!, webhook, { status: 204, retryAfter: undefined }, pace, life.at(54))
  return { ...attempted.delivery, id: 'dlv_01kbexample' }
}
