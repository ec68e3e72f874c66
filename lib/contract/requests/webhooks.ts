/** Bodies and queries of the routes under /webhooks. The handlers check whether an address and an event are allowed. */
import * as v from 'valibot'
import { boundedList, boundedText, normalUrl, urlLengthMax } from '../../domain/core/bounded.ts'
import { deliveryStatuses } from '../../domain/records/delivery.ts'
import { eventTypes } from '../../domain/records/event.ts'
import { hasField, lenientFilter, pageQuery, sequenceMax } from '../schemas.ts'

const url = v.pipe(
  boundedText(urlLengthMax),
  v.check((text) => URL.canParse(text), 'must be a URL'),
  // The URL parser drops these: the stored text would differ from the called URL.
  v.check((text) => !/[\s\\]/.test(text), 'must not contain whitespace or backslashes'),
  normalUrl(),
)
const events = v.pipe(boundedList(boundedText(100), 100), v.minLength(1, 'must name at least one event'))

export const createWebhookRequest = v.object({ url, events })

const editable = {
  url: v.exactOptional(url),
  events: v.exactOptional(events),
  enabled: v.exactOptional(v.boolean()),
}

/** Gives a `WebhookEdit`. Ignores unknown keys, so that an endpoint from a response can be edited and sent back. */
export const editWebhookRequest = v.pipe(v.object(editable), hasField(Object.keys(editable)))

/** A `sequence`, or a time. */
const rangeEnd = v.union(
  [
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(sequenceMax)),
    v.pipe(
      boundedText(40),
      v.isoTimestamp(),
      v.check((text) => !Number.isNaN(Date.parse(text)), 'must be a time'),
      v.transform((text) => new Date(text).toISOString()),
    ),
  ],
  'must be a sequence, or a time in ISO 8601',
)

export const replayEventsRequest = v.object({ from: rangeEnd, to: rangeEnd, events: v.exactOptional(events) })

export const listWebhooksQuery = v.object(pageQuery)

/** A malformed id is ignored, like an unknown status; an unknown well-formed id selects nothing. */
const webhookId = v.fallback(v.optional(v.pipe(v.string(), v.regex(/^whk_\w{1,60}$/))), undefined)

export const listDeliveriesQuery = v.object({
  ...pageQuery,
  event: lenientFilter(eventTypes),
  status: lenientFilter(deliveryStatuses),
  webhookId,
})
