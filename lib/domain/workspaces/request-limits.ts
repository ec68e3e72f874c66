/** How many requests a workspace may send: token buckets by the class of a request. */
import { Refusal } from '../core/refusal.ts'
import { msUntilToken, type TokenBucket, tokensLeft } from '../core/token-bucket.ts'

/** A paid action is a write too. */
export const requestClasses = ['reads', 'writes', 'paid'] as const
export type RequestClass = (typeof requestClasses)[number]

/** Requests per minute. */
export type RequestLimits = Readonly<Record<RequestClass, number>>

/** The tokens of two minutes at once, refilled at the limit per minute. */
export const requestBucket = (perMinute: number): TokenBucket => ({ capacity: 2 * perMinute, refillMs: 120_000 })

/** A class whose bucket a request takes a token from, with the instant at which the bucket is full again. */
export interface BucketState {
  requestClass: RequestClass
  perMinute: number
  fullAt: number
}

/**
 * How many requests an instance serves before it adds them to the shared bucket: with four instances the buckets err by
 * at most 5 % of their capacity.
 */
export const unsharedMax = (perMinute: number): number =>
  Math.max(Math.floor(requestBucket(perMinute).capacity / 80), 1)

/** The header fields of every response. https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
export function rateLimitHeaders(buckets: readonly BucketState[], now: number): Record<string, string> {
  if (buckets.length === 0) return {}
  const policy = ({ requestClass, perMinute }: BucketState) =>
    `"${requestClass}";q=${perMinute};w=60;burst=${requestBucket(perMinute).capacity}`
  const state = ({ requestClass, perMinute, fullAt }: BucketState) =>
    `"${requestClass}";r=${tokensLeft(fullAt, requestBucket(perMinute), now)};t=${Math.max(Math.ceil((fullAt - now) / 1000), 0)}`
  return { 'RateLimit-Policy': buckets.map(policy).join(', '), RateLimit: buckets.map(state).join(', ') }
}

/** The refusal of a request that finds a bucket empty. */
export function emptyBucketRefusal(buckets: readonly BucketState[], now: number): Refusal | undefined {
  const empty = buckets.find(({ fullAt, perMinute }) => tokensLeft(fullAt, requestBucket(perMinute), now) < 1)
  if (!empty) return undefined
  const ms = Math.max(...buckets.map(({ fullAt, perMinute }) => msUntilToken(fullAt, requestBucket(perMinute), now)))
  return new Refusal(
    'rate-limited',
    `This workspace may send ${empty.perMinute} ${requestNames[empty.requestClass]} a minute. Retry after the time in \`Retry-After\`.`,
    { headers: { 'Retry-After': String(Math.max(Math.ceil(ms / 1000), 1)) } },
  )
}

const requestNames: Record<RequestClass, string> = {
  reads: 'reads',
  writes: 'writes',
  paid: 'paid actions',
}
