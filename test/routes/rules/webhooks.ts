/** Webhook endpoints, the events they are told and how these are delivered. Sources: api.md, "Webhooks" and "Events"; decisions.md 1 and 6. */
import type { Rules } from './rule-table.ts'

export const webhooks = {
  'webhooks.create': 'POST /webhooks takes `url` and `events` and answers 201 with the endpoint.',
  'webhooks.create.shape':
    'An endpoint has id, url, events, enabled, createdAt, updatedAt, lastDeliveryAt, failureCount and disabledReason.',
  'webhooks.create.secret': 'The answer that creates an endpoint alone carries its `secret`: `whsec_` and base64.',
  'webhooks.create.sealed': 'Secrets are encrypted at rest.',
  'webhooks.create.duplicates': 'An event that is named twice counts once.',
  'webhooks.create.unknown-event':
    'An event that is none is a 400 `warning-invalid-events`, with the list of those that are.',
  'webhooks.create.addresses':
    'Addresses are https and public: loopback, private, link-local, metadata, CGNAT and IPv4-mapped ones are a 400.',
  'webhooks.create.local-addresses': 'Where the operator allows it, http and loopback are taken: the local run does.',
  'webhooks.list': 'GET /webhooks is a page of the endpoints, newest first, without secret.',
  'webhooks.get': 'GET /webhooks/{id} answers one, without secret.',
  'webhooks.edit': 'PATCH takes any of `url`, `events` and `enabled`, and leaves the rest as it is.',
  'webhooks.edit.nothing': 'A PATCH without any of them is a 400.',
  'webhooks.edit.events': '`events` replaces the whole list.',
  'webhooks.edit.enable': 'Enabling a disabled endpoint clears `failureCount` and `disabledReason`.',
  'webhooks.delete': 'DELETE removes the endpoint and answers `{ ok, droppedDeliveries }`.',
  'webhooks.delete.again': 'A second DELETE is a 404.',
  'webhooks.no-rotation': 'A secret cannot be changed: a new endpoint has another one.',
  'webhooks.replay': 'POST /webhooks/{id}/replay answers 202 with how many events of a range it queues.',
  'webhooks.replay.delivery': 'Each becomes a new delivery with a new id to the current URL, signed and logged.',
  'webhooks.replay.subscription': 'Only events that the endpoint subscribes to, also from before it was created.',
  'webhooks.replay.range': '`from` and `to` are sequences or times, both included; `events` selects some.',
  'webhooks.replay.once': 'A repeat with the key, and a repeated dispatch, queue nothing twice.',
  'webhooks.replay.limits': 'A replay has at most 1,000 events; a workspace replays at most 10,000 an hour.',
  'webhooks.test':
    'POST /webhooks/{id}/test posts at once and answers `{ event, url, delivered, responseStatus, durationMs, error }`.',
  'webhooks.test.body': 'It posts `{ event: "webhook.test", workspaceId, createdAt, data: { message, webhookId } }`.',
  'webhooks.test.headers': 'It is signed, carries `X-Service-Event` and no `X-Service-Delivery`.',
  'webhooks.test.always': 'It is a 200 also where the endpoint fails or is disabled.',
  'webhooks.test.no-trace': 'It touches no counter and leaves no row in the log.',
} as const satisfies Rules

export const deliveries = {
  'deliveries.list': 'GET /webhooks/deliveries is a page of the deliveries to all endpoints, newest first.',
  'deliveries.shape':
    'A delivery has id, webhookId, event, url, status, attempts, responseStatus, lastError, nextAttemptAt, createdAt, deliveredAt.',
  'deliveries.payload': '`payload` is the exact envelope that was posted.',
  'deliveries.filters': '`event`, `status` (pending, delivered, failed) and `webhookId` filter it.',
  'deliveries.unknown-filters': 'A filter value that is unknown is ignored.',
  'deliveries.resend':
    'POST /webhooks/deliveries/{id}/resend answers 201 with a row: status pending, deliveredAt null.',
  'deliveries.resend.new-id': 'It queues the stored payload again, as a new delivery with a new id.',
  'deliveries.resend.current-url': "It goes to the endpoint's current address.",
} as const satisfies Rules

export const events = {
  'events.envelope': 'A body is `{ event, workspaceId, createdAt, data }`.',
  'events.sequence': 'Events carry a `sequence` that grows within the workspace.',
  'events.created-at': '`createdAt` is when the event was queued, not when an attempt is sent.',
  'events.data': '`data` has the keys of the catalogue, for each event.',
  'events.subscribable': 'The eleven events of the catalogue can be subscribed to, `webhook.test` cannot.',
  'events.header.event': '`X-Service-Event` is the event, as in the body.',
  'events.header.delivery': '`X-Service-Delivery` is the id of the delivery, the same in each attempt.',
  'events.header.signature':
    '`X-Service-Signature` is the hex HMAC-SHA256 of the raw body, keyed by the whole secret as it is shown.',
  'events.header.standard':
    '`webhook-id`, `webhook-timestamp` and `webhook-signature` are those of Standard Webhooks, with the same secret.',
  'events.video.created':
    '`video.created` fires when a video or a presentation is created, from a brief, a file or a video.',
  'events.video.created.blueprint': '`video.created` fires when a blueprint is created.',
  'events.video.generation-completed': '`video.generation_completed` fires when the video can be rendered.',
  'events.video.generation-failed': '`video.generation_failed` fires when a generation stops before its end.',
  'events.video.render-completed': '`video.render_completed` fires when the mp4 is ready.',
  'events.video.render-failed': '`video.render_failed` fires when a render stops or times out.',
  'events.video.scheduled': '`video.scheduled` fires when a clip of an automation is given a publishing slot.',
  'events.video.published': '`video.published` fires when a video goes live.',
  'events.video.publish-failed': '`video.publish_failed` fires when publishing failed.',
  'events.automation.clip-created': '`automation.clip_created` fires when an automation makes a clip.',
  'events.automation.blocked': '`automation.blocked` fires when an automation lacks something to run.',
  'events.automation.stopped': '`automation.stopped` fires when an automation is stopped by the service.',
} as const satisfies Rules

export const journal = {
  'journal.payload': 'GET /events lists each event as webhooks deliver it, with its id.',
  'journal.order': 'Events are listed in the order of `sequence`, which has no gaps.',
  'journal.cursor': '`after` is the last sequence seen; `nextAfter` of a page is the cursor of the next one.',
  'journal.now': '`lastSequence` is the cursor of the events from now on.',
  'journal.types': '`types` filters; an event that is none is a 400.',
  'journal.pure': 'Reading events changes nothing.',
  'journal.wait': 'With `wait` a request without an event to return waits for the next one.',
  'journal.wait.end': 'After the wait it answers with an empty page.',
  'journal.wait.limit': 'At most four requests of a workspace wait at once; the fifth is a 429 `rate-limited`.',
} as const satisfies Rules

export const delivering = {
  'webhooks.deliver.post': 'An event is POSTed as JSON to each endpoint that is subscribed to it.',
  'webhooks.deliver.acknowledge': 'Any 2xx acknowledges.',
  'webhooks.deliver.8-seconds': 'An answer that takes longer than 8 seconds does not.',
  'webhooks.deliver.retries':
    'Anything else is tried again about 4 s, 16 s, 64 s, 256 s and 1,024 s later, each 10 % more or less.',
  'webhooks.deliver.failed': 'After 6 attempts the delivery is `failed`.',
  'webhooks.deliver.retry-after': 'A `Retry-After` is honoured, up to the length of the next step.',
  'webhooks.deliver.gone': 'A 410 disables the endpoint.',
  'webhooks.deliver.no-redirects': 'Redirects are not followed.',
  'webhooks.deliver.address-again': 'The address that is connected to is checked again with each attempt.',
  'webhooks.deliver.body-cap': 'Of an answer at most 64 KB are read.',
  'webhooks.deliver.auto-disable':
    'After 25 failed attempts in a row the endpoint is disabled: `enabled` false, `disabledReason` set.',
  'webhooks.deliver.failure-count': '`failureCount` counts the failed attempts in a row; a delivery resets it.',
  'webhooks.deliver.nothing-new': 'A disabled endpoint receives no new deliveries.',
  'webhooks.deliver.dropped':
    'A delivery that is queued when its endpoint is deleted or disabled ends as `failed`, and `lastError` says so.',
  'webhooks.deliver.at-least-once': 'An attempt whose answer was lost is made again under the same delivery id.',
} as const satisfies Rules
