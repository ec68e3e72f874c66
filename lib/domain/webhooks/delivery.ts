/** Deliveries: one event on its way to one endpoint, from the first attempt to the last, and their place in the log. */

import { deterministicIdAt } from '../core/id.ts'
import { Refusal } from '../core/refusal.ts'
import { secondsAfter } from '../core/time.ts'
import type { Decision } from '../records/decision.ts'
import type { Delivery } from '../records/delivery.ts'
import type { EventType } from '../records/event.ts'
import type { Webhook } from '../records/webhook.ts'
import type { AttemptResult } from './webhook.ts'
import { applyAttempt, isSlow } from './webhook.ts'

export const deliveryAttemptsMax = 6
/** Whoever acknowledges later has not. */
export const responseTimeoutMs = 8_000
/** How long a worker has a delivery for itself: longer than the function lives, so that nobody works on beyond it. */
export const deliveryLeaseSeconds = 40
/** Whoever is claimed more often than this is posted, it seems, and never recorded. */
const claimsMax = 3 * deliveryAttemptsMax
export const deliveryRetentionDays = 7
/** The queue wakes a worker within moments; what is still waiting so long after its time is woken again. */
const sweepDelaySeconds = 60

/** The answer to a post, or why there was none. */
export type DeliveryOutcome =
  | { status: number; retryAfter: string | undefined; error?: undefined; isSenderFault?: false }
  /** `ours`: the post broke off on our side, which says nothing about the receiver. */
  | { status: null; retryAfter?: undefined; error: string; isSenderFault?: boolean }

/** Clocks of two machines may be so far apart. */
export const clockSkewSeconds = 1

/** The deliveries of an event: to every endpoint that is subscribed, and has been enabled since before it happened. */
export const fanOutDeliveries = (
  event: { id: string; type: EventType; createdAt: string },
  payload: string,
  webhooks: readonly Webhook[],
): Delivery[] =>
  webhooks
    .filter(
      ({ enabled, events, enabledSince }) =>
        enabled && events.includes(event.type) && enabledSince <= secondsAfter(event.createdAt, clockSkewSeconds),
    )
    .map((webhook) =>
      newDelivery(webhook, {
        // The same event makes the same delivery, however often it is fanned out.
        id: deterministicIdAt('dlv', event.createdAt, event.id, webhook.id),
        event: event.type,
        payload,
        createdAt: event.createdAt,
      }),
    )

type NewDelivery = Pick<Delivery, 'id' | 'event' | 'payload' | 'createdAt'>

const newDelivery = (webhook: Webhook, made: NewDelivery): Delivery => ({
  ...made,
  workspaceId: webhook.workspaceId,
  version: 1,
  webhookId: webhook.id,
  epoch: webhook.epoch,
  url: webhook.url,
  status: 'pending',
  attempts: 0,
  responseStatus: null,
  lastError: null,
  nextAttemptAt: made.createdAt,
  deliveredAt: null,
  claims: 0,
  leaseUntil: null,
  dueAt: secondsAfter(made.createdAt, sweepDelaySeconds),
})

export interface DeliveryDecision extends Decision {
  delivery: Delivery
}

/** Queues the payload of a delivery again, to where its endpoint is now. A disabled endpoint receives no new deliveries. */
export function requeueDelivery(
  { event, payload }: Delivery,
  webhook: Webhook,
  deliveryId: string,
  now: string,
): DeliveryDecision {
  if (!webhook.enabled)
    throw new Refusal('conflict', 'The endpoint is disabled: enable it first, then send this delivery again.')
  const delivery = newDelivery(webhook, { id: deliveryId, event, payload, createdAt: now })
  return { ...decided(undefined, delivery, now), deliveryWakeUps: [{ deliveryId, slow: isSlow(webhook) }] }
}

/** Why a delivery must not be attempted, or undefined where it may. */
export function reasonToDrop({ epoch }: Delivery, webhook: Webhook | undefined): string | undefined {
  if (!webhook) return 'Dropped: the endpoint was deleted.'
  return webhook.enabled && webhook.epoch === epoch ? undefined : 'Dropped: the endpoint was disabled.'
}

/** Why a delivery is given up although attempts are left. */
export const reasonToGiveUp = ({ claims }: Delivery): string | undefined =>
  claims > claimsMax ? 'Given up: what became of its attempts could not be recorded.' : undefined

/** What went wrong before stays readable beside the reason. */
export const dropDelivery = (delivery: Delivery, reason: string, now: string): DeliveryDecision =>
  decided(
    delivery,
    { ...delivery, ...noFurtherAttempt, status: 'failed', lastError: joinErrors(delivery.lastError, reason) },
    now,
  )

const joinErrors = (error: string | null, reason: string) => (error ? `${error} ${reason}` : reason)

const noFurtherAttempt = { nextAttemptAt: null, leaseUntil: null, dueAt: null }

/** The gaps between attempts: `chance` is from 0 to 1; `timeScale` makes them that many times shorter. */
interface BackoffOptions {
  jitter: number
  timeScale: number
}

/**
 * What an attempt decides: about the delivery, and about its endpoint as it is now (undefined where it was deleted). A failed
 * attempt is followed by another one 4^n seconds later, 10 % more or less, until six were made.
 */
export function recordAttempt(
  before: Delivery,
  webhook: Webhook | undefined,
  outcome: DeliveryOutcome,
  pace: BackoffOptions,
  now: string,
): DeliveryDecision {
  const attempts = before.attempts + 1
  const tried = { ...before, attempts, responseStatus: outcome.status, leaseUntil: null }
  const reception = receptionOf(outcome)
  // An attempt from before the endpoint was enabled again, at an address that it has left, or that broke off on our side says
  // nothing about it.
  const isItsOwn = webhook?.epoch === before.epoch && webhook.url === before.url && !outcome.isSenderFault
  const after = isItsOwn ? applyAttempt(webhook, reception, now) : undefined
  const delivery: Delivery =
    reception === 'acknowledged'
      ? { ...tried, ...noFurtherAttempt, status: 'delivered', lastError: null, deliveredAt: now }
      : afterFailure(tried, outcome, reasonToDrop(before, after?.change.after ?? webhook), pace, now)
  const decision = decided(before, delivery, now)
  if (!after) return decision
  return { ...decision, changes: [...decision.changes, after.change], deliveryDrops: after.drops }
}

function receptionOf({ status }: DeliveryOutcome): AttemptResult {
  if (status !== null && status >= 200 && status < 300) return 'acknowledged'
  return status === 410 ? 'gone' : 'failed'
}

function afterFailure(
  tried: Delivery,
  outcome: DeliveryOutcome,
  dropped: string | undefined,
  pace: BackoffOptions,
  now: string,
): Delivery {
  const failure = describeFailure(outcome)
  if (tried.attempts >= deliveryAttemptsMax)
    return { ...tried, ...noFurtherAttempt, status: 'failed', lastError: failure }
  if (dropped) return { ...tried, ...noFurtherAttempt, status: 'failed', lastError: joinErrors(failure, dropped) }
  const nextAttemptAt = secondsAfter(
    now,
    backoffSeconds(tried.attempts, outcome.retryAfter, pace.jitter, now) / pace.timeScale,
  )
  const dueAt = secondsAfter(nextAttemptAt, sweepDelaySeconds)
  return { ...tried, lastError: failure, nextAttemptAt, dueAt }
}

/** What was wrong about how a post ended; null where it was acknowledged. */
export function describeFailure(outcome: DeliveryOutcome): string | null {
  if (receptionOf(outcome) === 'acknowledged') return null
  return outcome.error ?? refusalIn(outcome.status)
}

function refusalIn(status: number | null): string {
  const redirected = status !== null && status >= 300 && status < 400
  return `The endpoint answered ${status}${redirected ? ': redirects are not followed' : ''}.`
}

/** Seconds until the next attempt. A `Retry-After` (RFC 9110, section 10.2.3) holds up to the length of the following gap. */
function backoffSeconds(attempts: number, retryAfter: string | undefined, chance: number, now: string): number {
  const gap = 4 ** attempts * (0.9 + 0.2 * chance)
  const asked = retryAfter === undefined ? 0 : parseRetryAfter(retryAfter, now)
  return Math.max(gap, Math.min(asked, 4 ** (attempts + 1)))
}

function parseRetryAfter(retryAfter: string, now: string): number {
  if (/^\s*\d+\s*$/.test(retryAfter)) return Number(retryAfter)
  const seconds = (Date.parse(retryAfter) - Date.parse(now)) / 1000
  return Number.isNaN(seconds) ? 0 : seconds
}

/** Seconds until a delivery may be attempted, to the nearest whole one, since queues count in those; 0 where it may be now. */
export const secondsUntilAttempt = ({ nextAttemptAt }: Pick<Delivery, 'nextAttemptAt'>, now: string) =>
  nextAttemptAt === null ? 0 : Math.max(Math.round((Date.parse(nextAttemptAt) - Date.parse(now)) / 1000), 0)

function decided(before: Delivery | undefined, after: Delivery, now: string): DeliveryDecision {
  const delivery = before ? { ...after, version: before.version + 1 } : after
  return {
    workspaceId: delivery.workspaceId,
    at: now,
    changes: [{ record: 'delivery', before, after: delivery }],
    charges: [],
    events: [],
    starts: [],
    delivery,
  }
}
