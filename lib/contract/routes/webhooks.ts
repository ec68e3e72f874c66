/** Routes: webhook endpoints and their deliveries. */

import { listOf } from '../../domain/core/bounded.ts'
import { eventTypes } from '../../domain/records/event.ts'
import { replayEventsMax, replayedPerSecond } from '../../domain/webhooks/replay.ts'
import {
  createWebhookRequest,
  editWebhookRequest,
  listDeliveriesQuery,
  listWebhooksQuery,
  replayEventsRequest,
} from '../requests/webhooks.ts'
import { delivery, newWebhook, webhook, webhookRemoval, webhookReplay, webhookTest } from '../resources/webhooks.ts'
import { route } from '../route.ts'
import { pageLimitMax, requiresOneOf } from '../schemas.ts'

/** The body schema takes any text; the handler refuses unknown events. */
const eventNames = `Events: ${eventTypes.map((type) => `\`${type}\``).join(', ')}. Duplicates are removed.`

export const createWebhook = route({
  signature: 'POST /webhooks',
  handler: 'webhooks/create',
  summary: 'Create a webhook endpoint; only this response contains the signing secret',
  description: `The URL must be public and start with https://. ${eventNames}`,
  status: 201,
  body: createWebhookRequest,
  bodyExample: {
    url: 'https://example.com/hooks/reelsmith',
    events: ['video.render_completed', 'video.render_failed'],
  },
  returns: newWebhook,
  permissions: ['write', 'seal'],
  refuses: ['warning-invalid-events', 'limit-reached'],
})

export const listWebhooks = route({
  signature: 'GET /webhooks',
  handler: 'webhooks/list',
  summary: 'List webhook endpoints, newest first',
  description: 'Disabled endpoints are listed as well. Signing secrets are not shown.',
  query: listWebhooksQuery,
  returns: listOf(webhook, pageLimitMax),
  paged: true,
})

export const getWebhook = route({
  signature: 'GET /webhooks/{id}',
  handler: 'webhooks/get',
  summary: 'Get a webhook endpoint',
  description: 'The signing secret is not shown.',
  returns: webhook,
})

export const editWebhook = route({
  signature: 'PATCH /webhooks/{id}',
  handler: 'webhooks/edit',
  summary: 'Edit, disable or enable a webhook endpoint',
  description:
    'At least one field is required; other keys are ignored. `events` replaces the whole list. `enabled: true` on a disabled ' +
    `endpoint clears \`failureCount\` and \`disabledReason\`; \`enabled: false\` drops its queued deliveries. ${eventNames}`,
  body: editWebhookRequest,
  bodySchema: requiresOneOf('url', 'events', 'enabled'),
  bodyExample: { events: ['video.render_completed'], enabled: true },
  returns: webhook,
  permissions: ['write'],
  refuses: ['warning-invalid-events'],
})

export const deleteWebhook = route({
  signature: 'DELETE /webhooks/{id}',
  handler: 'webhooks/delete',
  summary: 'Delete a webhook endpoint and drop its queued deliveries',
  description: 'A second call is refused with 404.',
  returns: webhookRemoval,
  permissions: ['write'],
})

export const testWebhook = route({
  signature: 'POST /webhooks/{id}/test',
  handler: 'webhooks/test',
  summary: 'Send a signed test payload to an endpoint and return the outcome',
  description:
    'The response is 200 also if the endpoint fails or is disabled. The test changes no counter and no delivery log.',
  returns: webhookTest,
  permissions: ['unseal'],
})

export const replayEvents = route({
  signature: 'POST /webhooks/{id}/replay',
  handler: 'webhooks/replay',
  summary: 'Deliver the events of a range to an endpoint again',
  description:
    '`from` and `to` are each a `sequence`, or a time that is compared with `createdAt`; both are included. Each event of the last seven days in the range that ' +
    'the endpoint subscribes to becomes a new delivery to its current URL, also events from before it was created or while it was disabled; `events` selects some ' +
    `of its subscription. ${replayedPerSecond} deliveries a second are sent, in the order of \`sequence\`. A range with more than ${replayEventsMax.toLocaleString('en')} events is refused. ` +
    'The endpoint must be enabled.',
  status: 202,
  idempotent: true,
  body: replayEventsRequest,
  bodyExample: { from: '2026-11-02T09:00:00.000Z', to: '2026-11-02T10:00:00.000Z', events: ['video.render_completed'] },
  returns: webhookReplay,
  permissions: ['write'],
  refuses: ['warning-invalid-events', 'conflict'],
})

export const listDeliveries = route({
  signature: 'GET /webhooks/deliveries',
  handler: 'webhooks/list-deliveries',
  summary: 'List the deliveries of the last seven days to all endpoints, newest first',
  description: 'Each has the posted body, the number of attempts and the last error.',
  query: listDeliveriesQuery,
  parameters: {
    event: { description: 'Only deliveries of this event. Unknown values are ignored.' },
    status: { description: 'Only deliveries with this status. Unknown values are ignored.' },
    webhookId: {
      description: 'Only deliveries to this endpoint, including deleted ones. Malformed ids are ignored.',
    },
  },
  returns: listOf(delivery, pageLimitMax),
  paged: true,
})

export const resendDelivery = route({
  signature: 'POST /webhooks/deliveries/{id}/resend',
  handler: 'webhooks/resend-delivery',
  summary: 'Queue the payload of a delivery again, as a new delivery',
  description: 'The endpoint must be enabled. The new delivery has its own id.',
  status: 201,
  returns: delivery,
  permissions: ['write'],
  refuses: ['conflict'],
})
