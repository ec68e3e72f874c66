/** Bodies and queries of the routes under /webhooks. Which addresses are allowed and which events there are is asked behind them. */
import * as v from 'valibot'
import { deliveryStatuses } from '../../domain/records/delivery.ts'
import { eventTypes } from '../../domain/records/event.ts'
import { lenientFilter, pageQuery } from '../schemas.ts'

export const webhookUrlLengthMax = 2_048

const url = v.pipe(
  v.string(),
  v.maxLength(webhookUrlLengthMax, `must be at most ${webhookUrlLengthMax} characters long`),
  v.check((text) => URL.canParse(text), 'must be a URL'),
  // The parser would pass over them: what is stored would not be what is called.
  v.check((text) => !/[\s\\]/.test(text), 'must not contain blanks or backslashes'),
)
const events = v.pipe(v.array(v.string()), v.minLength(1, 'must name at least one event'))

export const createWebhookRequest = v.object({ url, events })

/** Gives a `WebhookEdit`. Unknown keys are ignored, so that an endpoint that was read can be sent back with what is to be changed. */
export const editWebhookRequest = v.pipe(
  v.object({
    url: v.exactOptional(url),
    events: v.exactOptional(events),
    enabled: v.exactOptional(v.boolean()),
  }),
  v.check((edit) => Object.keys(edit).length > 0, 'needs one of url, events, enabled'),
)

export const listWebhooksQuery = v.object(pageQuery)

/** What cannot be the id of an endpoint is ignored like an unknown status; one that could be and is none selects nothing. */
const webhookId = v.fallback(v.optional(v.pipe(v.string(), v.regex(/^whk_\w{1,60}$/))), undefined)

export const listDeliveriesQuery = v.object({
  ...pageQuery,
  event: lenientFilter(eventTypes),
  status: lenientFilter(deliveryStatuses),
  webhookId,
})
