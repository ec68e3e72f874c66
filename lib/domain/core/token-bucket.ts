/**
 * A token bucket in the form of the generic cell rate algorithm: its whole state is one instant, at which it will be
 * full again. Instants and durations in milliseconds.
 */
export interface TokenBucket {
  /** How many tokens a full bucket holds. */
  capacity: number
  /** The time in which an empty bucket refills. */
  refillMs: number
}

/** The time in which one token is refilled. */
export const tokenMs = ({ capacity, refillMs }: TokenBucket) => refillMs / capacity

/** The instant at which the bucket is full again after `tokens` more were taken from it. */
export const fullAtAfter = (fullAt: number, tokens: number, bucket: TokenBucket, now: number): number =>
  Math.max(fullAt, now) + tokens * tokenMs(bucket)

/** Whole tokens in the bucket, which may have been full for a while; not below zero. */
export const tokensLeft = (fullAt: number, bucket: TokenBucket, now: number): number =>
  // The addend absorbs rounding errors of the division.
  Math.max(Math.floor((bucket.refillMs - Math.max(fullAt - now, 0)) / tokenMs(bucket) + 1e-9), 0)

/** The time until the bucket holds a token. */
export const msUntilToken = (fullAt: number, bucket: TokenBucket, now: number): number =>
  Math.max(fullAt - now + tokenMs(bucket) - bucket.refillMs, 0)
