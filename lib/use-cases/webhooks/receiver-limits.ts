/**
 * Limits what a workspace can make the service send to a receiver, who may never have agreed to it: attempts by host,
 * resends by message, replays and tests. Called by the worker that delivers and by the routes that resend, replay and test.
 */
import { createHash } from 'node:crypto'
import { Refusal } from '../../domain/core/refusal.ts'
import type { TokenBucket } from '../../domain/core/token-bucket.ts'
import type { Delivery } from '../../domain/records/delivery.ts'
import type { Webhook } from '../../domain/records/webhook.ts'
import { hasAcknowledged, receiverHost } from '../../domain/webhooks/webhook-lifecycle.ts'
import { env } from '../../env.ts'
import { type BucketName, takeToken } from '../../store/token-buckets.ts'

/** Attempts at a host, on all its ports, that acknowledged the last delivery to this endpoint: 10 a second, 100 at once. */
const knownHost: TokenBucket = { capacity: 100, refillMs: 10_000 }
/** Attempts at any other host: 1 a second, 5 at once. */
const unknownHost: TokenBucket = { capacity: 5, refillMs: 5_000 }
/** Attempts at all other hosts of a workspace together, however many it names: 5 a second, 25 at once. */
const unknownHosts: TokenBucket = { capacity: 25, refillMs: 5_000 }
/** The longest delay of a queued message; a later attempt takes its token when the message returns. */
const waitMsMax = 900_000

/** The milliseconds until an attempt may be made; with `isReserved` the attempt has its token then. */
export async function reserveAttempt(
  { workspaceId, url }: Pick<Delivery, 'workspaceId' | 'url'>,
  webhook: Pick<Webhook, 'acknowledgedHost'> | undefined,
  now: string,
): Promise<{ waitMs: number; isReserved?: true }> {
  const take = ({ capacity, refillMs }: TokenBucket, name: string) =>
    takeToken({ workspaceId, name }, { capacity, refillMs: refillMs / env.timeScale() }, Date.parse(now), waitMsMax)
  const host = `receiver#${receiverHost(url)}`
  // What another host acknowledged does not count: the URL may change, and a delivery keeps the URL that it was queued for.
  const isKnown = webhook !== undefined && hasAcknowledged(webhook, url)
  const waits = isKnown
    ? [await take(knownHost, host)]
    : [await take(unknownHost, host), await take(unknownHosts, 'receivers')]
  return waits.every((waitMs) => waitMs !== undefined)
    ? { waitMs: Math.max(...waits), isReserved: true }
    : { waitMs: waitMsMax }
}

/** A resend of a resend counts as well: both have the same payload. */
const resends: TokenBucket = { capacity: 10, refillMs: 3_600_000 }

/** @throws Refusal `rate-limited` where a message was resent ten times within the hour. */
export async function refuseManyResends(
  { workspaceId, webhookId, payload }: Pick<Delivery, 'workspaceId' | 'webhookId' | 'payload'>,
  now: string,
): Promise<void> {
  const payloadHash = createHash('sha256').update(payload).digest('base64url').slice(0, 22)
  const name = `resend#${webhookId}#${payloadHash}`
  const message = `A delivery can be resent ${resends.capacity} times an hour.`
  await refuseEmpty({ workspaceId, name }, resends, message, now)
}

/** Of all endpoints of a workspace: each test holds a function until the receiver responds. */
const tests: TokenBucket = { capacity: 10, refillMs: 60_000 }

/** @throws Refusal `rate-limited` where the workspace sent ten tests within the minute. */
export const refuseManyTests = (workspaceId: string, now: string): Promise<void> =>
  refuseEmpty(
    { workspaceId, name: 'webhook-tests' },
    tests,
    `A workspace can test its endpoints ${tests.capacity} times a minute.`,
    now,
  )

/** Of all endpoints of a workspace: each replayed event is one more delivery. */
const replays: TokenBucket = { capacity: 10_000, refillMs: 3_600_000 }

/** @throws Refusal `rate-limited` where the workspace has replayed too many events within the hour. */
export const refuseManyReplays = (workspaceId: string, events: number, now: string): Promise<void> =>
  refuseEmpty(
    { workspaceId, name: 'replays' },
    // One token is worth this many events.
    { ...replays, capacity: replays.capacity / Math.max(events, 1) },
    `A workspace can replay ${replays.capacity.toLocaleString('en')} events an hour.`,
    now,
  )

async function refuseEmpty(name: BucketName, bucket: TokenBucket, message: string, now: string): Promise<void> {
  if ((await takeToken(name, bucket, Date.parse(now))) !== undefined) return
  throw new Refusal('rate-limited', `${message} Retry after the time in \`Retry-After\`.`, {
    headers: { 'Retry-After': String(Math.ceil(bucket.refillMs / bucket.capacity / 1000)) },
  })
}
