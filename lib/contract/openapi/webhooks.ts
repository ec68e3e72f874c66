/** The `webhooks` section of the OpenAPI document: one operation per event. */
import { idPattern } from '../../domain/core/bounded.ts'
import type { EventType } from '../../domain/records/event.ts'
import { eventTypes } from '../../domain/records/event.ts'
import { webhookHeaders } from '../../domain/webhooks/signature.ts'
import { exampleEventEnvelopes } from './examples/index.ts'
import { exampleTestEvent } from './examples/webhooks.ts'
import { componentRef, eventSchemaName, jsonContent, type OpenApiObject, pascalCase } from './schemas.ts'

/** When each event occurs. */
const eventSummaries: Record<EventType, string> = {
  'video.created': 'A video, presentation or blueprint was created by a request, in the app or by an automation',
  'video.generation_completed': 'Script, voiceover, captions and visuals are ready; the video can be rendered',
  'video.generation_failed': 'A generation failed',
  'video.render_completed': 'The mp4 is ready',
  'video.render_failed': 'A render failed or timed out',
  'video.scheduled': 'A clip of an automation was assigned to a publishing slot',
  'video.published': 'A video was published',
  'video.publish_failed': 'A publication failed',
  'automation.clip_created': 'An automation created a clip',
  'automation.blocked': 'A precondition of an automation is missing; it will stop unless this is fixed',
  'automation.stopped': 'The service stopped an automation',
}

export function webhookOperations(): Record<string, Record<string, OpenApiObject>> {
  const events = exampleEventEnvelopes()
  const entries = eventTypes.map((type) => [type, { post: webhookOperation(type, eventSummaries[type], events[type]) }])
  const test = webhookOperation('webhook.test', 'A test delivery; it cannot be subscribed to', exampleTestEvent)
  return { ...Object.fromEntries(entries), 'webhook.test': { post: test } }
}

const webhookOperation = (event: string, summary: string, example: unknown): OpenApiObject => ({
  operationId: `on${pascalCase(event.replace(/[._]/g, '-'))}`,
  summary,
  description:
    event === 'webhook.test'
      ? 'Posted by `POST /webhooks/{id}/test`, also to a disabled endpoint.'
      : 'Posted to each enabled endpoint that subscribes to the event, at least once.',
  tags: ['webhooks'],
  // The signatures authenticate the sender.
  security: [],
  parameters: webhookHeaderParameters(event),
  requestBody: { required: true, content: jsonContent(componentRef('schemas', eventSchemaName(event)), example) },
  responses: event === 'webhook.test' ? testResponses : deliveryResponses,
})

const deliveryResponses = {
  '2XX': { description: 'Acknowledges the delivery, within 8 seconds.' },
  '410': { description: 'Disables the endpoint.' },
  default: { description: 'The delivery is retried, up to six attempts in total. Redirects are not followed.' },
}

/** A test is never retried and never disables the endpoint. */
const testResponses = {
  '2XX': { description: 'The test succeeded, if sent within 8 seconds.' },
  default: { description: 'The test failed; the response of the test route shows it. There is no retry.' },
}

const webhookHeaderParameters = (event: string) => [
  header(webhookHeaders.event, 'The event, as in the body.', { const: event }),
  ...(event === 'webhook.test'
    ? []
    : [
        header(
          webhookHeaders.delivery,
          'The id of the delivery, the same in each attempt. Delivery is at-least-once: deduplicate by this id.',
          { pattern: idPattern.source },
        ),
      ]),
  header(webhookHeaders.signature, 'Hex HMAC-SHA256 of the raw body. The key is the whole secret as text.', {
    pattern: '^[0-9a-f]{64}$',
  }),
  header(webhookHeaders.id, 'The id of the delivery or of the test (Standard Webhooks).', {
    pattern: idPattern.source,
  }),
  header(webhookHeaders.timestamp, 'Time of the signature, in Unix seconds (Standard Webhooks).', {
    pattern: '^[0-9]{1,12}$',
  }),
  header(
    webhookHeaders.standardSignature,
    '`v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body, joined by dots (Standard Webhooks).',
    { pattern: '^v1,[A-Za-z0-9+/]{43}=$' },
  ),
]

const header = (name: string, description: string, schema: OpenApiObject = {}) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', ...schema },
})
