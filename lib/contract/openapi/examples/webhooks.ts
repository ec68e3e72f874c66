/** The body of each event, and example responses of `routes/webhooks.ts`. */
import * as v from 'valibot'
import type { JobError } from '../../../domain/core/failures.ts'
import type { Delivery } from '../../../domain/records/delivery.ts'
import type { AutomationSnapshot, EventFacts, EventType } from '../../../domain/records/event.ts'
import { eventTypes, newEvent } from '../../../domain/records/event.ts'
import type { Webhook } from '../../../domain/records/webhook.ts'
import { fanOutDeliveries, recordAttempt, requeueDelivery } from '../../../domain/webhooks/delivery-attempts.ts'
import { createWebhook, editWebhook } from '../../../domain/webhooks/webhook-lifecycle.ts'
import { createWebhookRequest, editWebhookRequest } from '../../requests/webhooks.ts'
import type { WebhookTest } from '../../resources/webhooks.ts'
import * as routes from '../../routes/webhooks.ts'
import type { EventEnvelope } from '../../views/events.ts'
import { eventEnvelopeView } from '../../views/events.ts'
import { deliveryView, newWebhookView, testEventEnvelopeView, webhookView } from '../../views/webhooks.ts'
import { examplePublishedVideo } from './publishing.ts'
import { type ExampleScenario, examplePage } from './scenario.ts'

export function exampleEvents(scenario: ExampleScenario): Record<EventType, EventEnvelope> {
  const { workspace, ready, at, mediaUrl } = scenario
  const payloads = examplePayloads(scenario)
  const envelopes = eventTypes.map((type, index) => [
    type,
    eventEnvelopeView(workspace.id, newEvent(type, payloads[type], ready.id, at(50 + index)), 41 + index, mediaUrl),
  ])
  return Object.fromEntries(envelopes) as Record<EventType, EventEnvelope>
}

function examplePayloads({ workspace, queued, generated, ready, clip, at }: ExampleScenario): EventFacts {
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

export function webhookExamples(scenario: ExampleScenario) {
  const { workspace, at } = scenario
  const input = v.parse(createWebhookRequest, routes.createWebhook.bodyExample)
  const { webhook } = createWebhook(workspace, input, { id: webhookId, sealedSecret: '' }, at(5))
  const delivered = exampleDelivery(webhook, scenario)
  const requeued = requeueDelivery(delivered, webhook, 'dlv_01kbexampleagain', at(59)).delivery
  const used = { ...webhook, lastDeliveryAt: delivered.deliveredAt }
  const edited = editWebhook(used, v.parse(editWebhookRequest, routes.editWebhook.bodyExample), at(58)).webhook
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
    listWebhooks: examplePage(webhookView(used)),
    getWebhook: webhookView(used),
    editWebhook: webhookView(edited),
    deleteWebhook: { ok: true, droppedDeliveries: 2 },
    testWebhook: test,
    replayEvents: { events: 3, firstSequence: 44, lastSequence: 61 },
    listDeliveries: examplePage(deliveryView(delivered)),
    resendDelivery: deliveryView(requeued),
  }
}

function exampleDelivery(webhook: Webhook, scenario: ExampleScenario): Delivery {
  const payload = exampleEvents(scenario)['video.render_completed']
  const event = { id: 'evt_01kbexample', type: payload.event, createdAt: payload.createdAt }
  const [queued] = fanOutDeliveries(event, JSON.stringify(payload), [webhook])
  const retryPolicy = { jitter: 0.5, timeScale: 1 }
  const attempted = recordAttempt(
    queued!,
    webhook,
    { status: 204, retryAfter: undefined },
    retryPolicy,
    scenario.at(54),
  )
  return { ...attempted.delivery, id: 'dlv_01kbexample' }
}
