/** Deliveries of events to webhook endpoints: fan-out, attempts with backoff, retries by hand, and drops. */

import { deterministicIdAt } from '../core/id.ts'
import { sweepDelaySeconds } from '../core/pipeline.ts'
import { Refusal } from '../core/refusal.ts'
import { messageLengthMax, truncate, truncateTo } from '../core/text.ts'
import { secondsAfter } from '../core/time.ts'
import { type Decision, newDecision } from '../records/decision.ts'
import type { Delivery } from '../records/delivery.ts'
import type { EventType } from '../records/event.ts'
import type { Webhook } from '../records/webhook.ts'
import type { AttemptResult } from './webhook-lifecycle.ts'
import { applyAttempt, isSlow } from './webhook-lifecycle.ts'

export const deliveryAttemptsMax = 6
/** A later response counts as a failed attempt. */
export const responseTimeoutMs = 8_000
/** Lease of a worker: longer than the timeout of its function, so that no worker outlives its lease. */
export const deliveryLeaseSeconds = 40
/** Lease limit: sent but never recorded. */
const claimsMax = 3 * deliveryAttemptsMax
export const deliveryRetentionDays = 7

/** The response to a delivery, or why there was none. */
export type DeliveryOutcome =
  | { status: number; retryAfter: string | undefined; error?: undefined; isSenderFault?: false }
  /** `isSenderFault`: the request failed on our side, which says nothing about the receiver. */
  | { status: null; retryAfter?: undefined; error: string; isSenderFault?: boolean }

/** Tolerated difference between the clocks of two machines. */
export const clockSkewSeconds = 1

/** The deliveries of an event, made at `now`: to every subscribed endpoint that was enabled before it happened. */
export const fanOutDeliveries = (
  event: { id: string; type: EventType; createdAt: string },
  payload: string,
  webhooks: readonly Webhook[],
  now = event.createdAt,
): Delivery[] =>
  webhooks
    .filter(
      ({ enabled, events, enabledSince }) =>
        enabled && events.includes(event.type) && enabledSince <= secondsAfter(event.createdAt, clockSkewSeconds),
    )
    .map((webhook) => ({
      ...newDelivery(webhook, {
        // Deterministic: a repeated fan-out makes no second delivery.
        id: deterministicIdAt('dlv', event.createdAt, event.id, webhook.id),
        event: event.type,
        payload,
        createdAt: event.createdAt,
      }),
      // Where the fan-out was late, the delivery is; but its wake-up, which follows, is not lost.
      dueAt: secondsAfter(now, sweepDelaySeconds),
    }))

type NewDelivery = Pick<Delivery, 'id' | 'event' | 'payload' | 'createdAt'>

/** A pending delivery whose first attempt is due at `nextAttemptAt`. */
export const newDelivery = (
  webhook: Webhook,
  fields: NewDelivery,
  nextAttemptAt: string = fields.createdAt,
): Delivery => ({
  ...fields,
  workspaceId: webhook.workspaceId,
  version: 1,
  webhookId: webhook.id,
  epoch: webhook.epoch,
  url: webhook.url,
  status: 'pending',
  attempts: 0,
  responseStatus: null,
  lastError: null,
  nextAttemptAt,
  deliveredAt: null,
  claims: 0,
  leaseUntil: null,
  dueAt: secondsAfter(nextAttemptAt, sweepDelaySeconds),
})

export interface DeliveryDecision extends Decision {
  delivery: Delivery
}

/** Queues the payload of a delivery again, to the current URL of its endpoint. Refuses for a disabled endpoint. */
export function requeueDelivery(
  { event, payload }: Delivery,
  webhook: Webhook,
  deliveryId: string,
  now: string,
): DeliveryDecision {
  if (!webhook.enabled)
    throw new Refusal('conflict', 'The endpoint is disabled. Enable it, then send this delivery again.')
  const delivery = newDelivery(webhook, { id: deliveryId, event, payload, createdAt: now })
  return { ...deliveryDecision(undefined, delivery, now), deliveryWakeUps: [{ deliveryId, slow: isSlow(webhook) }] }
}

/** Why a delivery must not be attempted; undefined if it may. */
export function reasonToDrop({ epoch }: Delivery, webhook: Webhook | undefined): string | undefined {
  if (!webhook) return 'Dropped: the endpoint was deleted.'
  return webhook.enabled && webhook.epoch === epoch ? undefined : 'Dropped: the endpoint was disabled.'
}

/** Why a delivery is abandoned although attempts are left. */
export const reasonToGiveUp = ({ claims }: Delivery): string | undefined =>
  claims > claimsMax ? 'Abandoned: the outcome of its attempts could not be recorded.' : undefined

/** Fails a delivery without another attempt. The previous error is preserved before the reason. */
export const dropDelivery = (delivery: Delivery, reason: string, now: string): DeliveryDecision =>
  deliveryDecision(
    delivery,
    { ...delivery, ...noFurtherAttempt, status: 'failed', lastError: joinErrors(delivery.lastError, reason) },
    now,
  )

const joinErrors = (error: string | null, reason: string) =>
  error ? `${truncateTo(messageLengthMax - reason.length - 1, error)} ${reason}` : reason

const noFurtherAttempt = { nextAttemptAt: null, leaseUntil: null, dueAt: null }

/** Options of the backoff: `jitter` is from 0 to 1; `timeScale` divides the delays. */
interface BackoffOptions {
  jitter: number
  timeScale: number
}

/**
 * Records an attempt in the delivery and in its current endpoint (undefined if deleted). A failed attempt is retried after
 * 4^n seconds with 10 % jitter, up to six attempts.
 */
export function recordAttempt(
  before: Delivery,
  webhook: Webhook | undefined,
  outcome: DeliveryOutcome,
  backoff: BackoffOptions,
  now: string,
): DeliveryDecision {
  const attempts = before.attempts + 1
  const attempted = { ...before, attempts, responseStatus: outcome.status, leaseUntil: null }
  const result = attemptResult(outcome)
  // Does not count for the endpoint if it was re-enabled or moved since, or if the request failed on our side.
  const countsForEndpoint = webhook?.epoch === before.epoch && webhook.url === before.url && !outcome.isSenderFault
  const after = countsForEndpoint ? applyAttempt(webhook, result, now) : undefined
  const delivery: Delivery =
    result === 'acknowledged'
      ? { ...attempted, ...noFurtherAttempt, status: 'delivered', lastError: null, deliveredAt: now }
      : afterFailure(attempted, outcome, reasonToDrop(before, after?.change.after ?? webhook), backoff, now)
  const decision = deliveryDecision(before, delivery, now)
  if (!after) return decision
  return { ...decision, changes: [...decision.changes, after.change], deliveryDrops: after.drops }
}

function attemptResult({ status }: DeliveryOutcome): AttemptResult {
  if (status !== null && status >= 200 && status < 300) return 'acknowledged'
  return status === 410 ? 'gone' : 'failed'
}

function afterFailure(
  attempted: Delivery,
  outcome: DeliveryOutcome,
  dropReason: string | undefined,
  { jitter, timeScale }: BackoffOptions,
  now: string,
): Delivery {
  const failure = describeFailure(outcome)
  const failed = { ...attempted, ...noFurtherAttempt, status: 'failed' as const }
  if (attempted.attempts >= deliveryAttemptsMax) return { ...failed, lastError: failure }
  if (dropReason) return { ...failed, lastError: joinErrors(failure, dropReason) }
  const delaySeconds = backoffSeconds(attempted.attempts, outcome.retryAfter, jitter, now) / timeScale
  const nextAttemptAt = secondsAfter(now, delaySeconds)
  const dueAt = secondsAfter(nextAttemptAt, sweepDelaySeconds)
  return { ...attempted, lastError: failure, nextAttemptAt, dueAt }
}

/** The error of an attempt; null if it was acknowledged. */
export function describeFailure(outcome: DeliveryOutcome): string | null {
  if (attemptResult(outcome) === 'acknowledged') return null
  return truncate(outcome.error ?? statusMessage(outcome.status))
}

function statusMessage(status: number | null): string {
  const redirected = status !== null && status >= 300 && status < 400
  return `The endpoint answered ${status}${redirected ? ': redirects are not followed' : ''}.`
}

/** Seconds until the next attempt. `Retry-After` (RFC 9110, section 10.2.3) is honoured up to the length of the next delay. */
function backoffSeconds(attempts: number, retryAfter: string | undefined, jitter: number, now: string): number {
  const delay = 4 ** attempts * (0.9 + 0.2 * jitter)
  const requested = retryAfter === undefined ? 0 : parseRetryAfter(retryAfter, now)
  return Math.max(delay, Math.min(requested, 4 ** (attempts + 1)))
}

function parseRetryAfter(retryAfter: string, now: string): number {
  if (/^\s*\d+\s*$/.test(retryAfter)) return Number(retryAfter)
  const seconds = (Date.parse(retryAfter) - Date.parse(now)) / 1000
  return Number.isNaN(seconds) ? 0 : seconds
}

/** Seconds until a delivery is due, rounded, since queues delay by whole seconds; 0 if it is due now. */
export const secondsUntilAttempt = ({ nextAttemptAt }: Pick<Delivery, 'nextAttemptAt'>, now: string) =>
  nextAttemptAt === null ? 0 : Math.max(Math.round((Date.parse(nextAttemptAt) - Date.parse(now)) / 1000), 0)

function deliveryDecision(before: Delivery | undefined, after: Delivery, now: string): DeliveryDecision {
  const delivery = before ? { ...after, version: before.version + 1 } : after
  return { ...newDecision(delivery.workspaceId, [{ record: 'delivery', before, after: delivery }], now), delivery }
}
