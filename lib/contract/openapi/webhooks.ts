/** The `webhooks` section of the OpenAPI document: what the service posts to an endpoint, one entry for each event. */
import type { EventType } from '../../domain/records/event.ts'
import { eventTypes } from '../../domain/records/event.ts'
import { webhookHeaders } from '../../domain/webhooks/signature.ts'
import { exampleEventEnvelopes } from './examples/index.ts'
import { exampleTestEvent } from './examples/webhooks.ts'
import { componentRef, eventSchemaName, jsonContent, type OpenApiObject, pascalCase } from './schemas.ts'

/** When each event is posted. */
const eventSummaries: Record<EventType, string> = {
  'video.created': 'A video, presentation or blueprint was created, by a request, in the app or by an automation',
  'video.generation_completed': 'Script, voiceover, captions and visuals are ready; the video can be rendered',
  'video.generation_failed': 'A generation stopped before it was finished',
  'video.render_completed': 'The mp4 is ready',
  'video.render_failed': 'A render stopped or timed out',
  'video.scheduled': 'A clip of an automation was given a publishing slot',
  'video.published': 'A video went live',
  'video.publish_failed': 'A publication failed',
  'automation.clip_created': 'An automation made a clip',
  'automation.blocked': 'An automation lacks something that it needs to run, and will stop unless that is fixed',
  'automation.stopped': 'An automation was stopped by the service',
}

export function webhookOperations(): Record<string, Record<string, OpenApiObject>> {
  const events = exampleEventEnvelopes()
  const entries = eventTypes.map((type) => [type, { post: webhookOperation(type, eventSummaries[type], events[type]) }])
  const test = webhookOperation('webhook.test', 'A test was asked for; it cannot be subscribed to', exampleTestEvent)
  return { ...Object.fromEntries(entries), 'webhook.test': { post: test } }
}

const webhookOperation = (event: string, summary: string, example: unknown): OpenApiObject => ({
  operationId: `on${pascalCase(event.replace(/[._]/g, '-'))}`,
  summary,
  tags: ['webhooks'],
  // Who posts is proved by the signatures, not by a key.
  security: [],
  parameters: webhookHeaderParameters(event),
  requestBody: { required: true, content: jsonContent(componentRef('schemas', eventSchemaName(event)), example) },
  responses: event === 'webhook.test' ? testAnswers : answers,
})

const answers = {
  '2XX': { description: 'Any of these within 8 seconds acknowledges the delivery.' },
  '410': { description: 'Disables the endpoint.' },
  default: { description: 'Anything else is tried again, up to six attempts in all. Redirects are not followed.' },
}

/** A test counts for nothing, whatever comes back. */
const testAnswers = {
  '2XX': { description: 'Any of these within 8 seconds acknowledges the test.' },
  default: { description: 'The test tells it to whoever asked for it. It is not tried again.' },
}

const webhookHeaderParameters = (event: string) => [
  header(webhookHeaders.event, 'The event, as in the body.', { const: event }),
  ...(event === 'webhook.test'
    ? []
    : [
        header(
          webhookHeaders.delivery,
          'The id of the delivery, the same in each attempt. Delivery is at-least-once: deduplicate on it.',
        ),
      ]),
  header(webhookHeaders.signature, 'HMAC-SHA256 of the raw body in hex, keyed by the whole secret as text.', {
    pattern: '^[0-9a-f]{64}$',
  }),
  header(webhookHeaders.id, 'The id of the delivery; a test has one of its own (Standard Webhooks).'),
  header(webhookHeaders.timestamp, 'When this attempt was signed, in seconds since 1970 (Standard Webhooks).', {
    pattern: '^[0-9]+$',
  }),
  header(
    webhookHeaders.standardSignature,
    '`v1,` and the HMAC-SHA256 of id, timestamp and raw body, joined by dots, in base64 (Standard Webhooks).',
  ),
]

const header = (name: string, description: string, schema: OpenApiObject = {}) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', ...schema },
})
