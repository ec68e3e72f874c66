/**
 * At-most-once publishing on platforms without idempotency keys. Whether a request without a response took effect shows
 * only in their lists or in a container, and there with a lag. So the publishing request is sent within a minute of a
 * time stored in the state. If the post does not show after this window, the deadline and the lag, the request had no
 * effect.
 */

import { secondsBetween } from '../domain/core/time.ts'
import type { PostingState, StepOutcome } from '../domain/publishing/posting.ts'
import type { PublishContext } from './publisher.ts'

const sendWindowSeconds = 60
/** The deadline of the publishing request. */
export const sendDeadlineMs = 30_000

/** Assumed maximum clock skew between a platform and this service. */
export const clockSkewMs = 60_000

interface SendWindowState extends PostingState {
  /** Start of the send window, in ISO. */
  armedAt: string
}

/** After the send window: the same step with a new window. Null within it: the request may be sent. */
export function reopenSendWindow<State extends SendWindowState>(state: State, now: string): StepOutcome<State> | null {
  if (secondsBetween(state.armedAt, now) <= sendWindowSeconds) return null
  return { kind: 'continue', state: { ...state, armedAt: now } }
}

/** Seconds until the platform, whose lists lag by `lagSeconds`, must show a post that was sent; 0 from then on. */
export const secondsUntilConsistent = (
  { armedAt }: SendWindowState,
  { now, isSettled }: Pick<PublishContext, 'now' | 'isSettled'>,
  lagSeconds: number,
): number =>
  isSettled ? 0 : Math.max(0, sendWindowSeconds + sendDeadlineMs / 1000 + lagSeconds - secondsBetween(armedAt, now))
