/** The backoff of polling a platform: each poll costs three state transitions, and processing can take minutes. */

/** Longest wait that the backoff asks for; a platform may ask for more. */
const backoffSecondsMax = 60

/**
 * Seconds until the next poll: those that the publisher asks for, later a tenth of the age of the post. Shorter again
 * before the deadline, so that a post which is ready by then is found.
 */
export function pollWaitSeconds(asked: number, ageSeconds: number, remainingSeconds: number): number {
  return Math.max(asked, Math.floor(Math.min(ageSeconds / 10, backoffSecondsMax, remainingSeconds / 4)))
}
