/**
 * A token bucket in the form of the generic cell rate algorithm: its whole state is one instant, at which it will be
 * full again. It holds the tokens of two minutes and refills at the limit per minute.
 */

/** A bucket refills within this time. */
const refillMinutes = 2

/** The capacity of a bucket. */
export const burstOf = (perMinute: number): number => perMinute * refillMinutes

/** The milliseconds in which one token is refilled. */
export const tokenMs = (perMinute: number) => 60_000 / perMinute

/** The instant at which a bucket is full again after `tokens` more were taken from it, in milliseconds. */
export const fullAtAfter = (fullAt: number, tokens: number, perMinute: number, now: number): number =>
  Math.max(fullAt, now) + tokens * tokenMs(perMinute)

/** Tokens in a bucket; not below zero. */
export const tokensLeft = (fullAt: number, perMinute: number, now: number): number =>
  Math.max(Math.floor((refillMinutes * 60_000 - (fullAt - now)) / tokenMs(perMinute) + 1e-9), 0)

/** Milliseconds until a bucket holds a token. */
export const msUntilToken = (fullAt: number, perMinute: number, now: number): number =>
  Math.max(fullAt - now + tokenMs(perMinute) - refillMinutes * 60_000, 0)
