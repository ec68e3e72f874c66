/**
 * For platforms that take no id of ours: what became of a lost request shows only in their lists or in a container, and there only after a
 * while. So the request that publishes is sent within a minute of a time that stands in the state; it surely came to nothing when there
 * was time enough since then and the post does not show.
 */

import { secondsBetween } from '../domain/core/time.ts'
import type { PostingState, StepOutcome } from '../domain/publishing/posting.ts'

const sendWindowSeconds = 60
/** The deadline of the request itself. */
export const sendDeadlineMs = 30_000

export interface SendWindowState extends PostingState {
  /** ISO. */
  armedAt: string
}

/** The same step once more where its time has passed, else null: it may send. */
export function reopenSendWindow<State extends SendWindowState>(state: State, now: string): StepOutcome<State> | null {
  if (secondsBetween(state.armedAt, now) <= sendWindowSeconds) return null
  return { kind: 'continue', state: { ...state, armedAt: now } }
}

/** How many seconds are left until the platform, which lags by so many, shows whatever was sent; 0 when it does. */
export const secondsUntilConsistent = ({ armedAt }: SendWindowState, now: string, lagSeconds: number): number =>
  Math.max(0, sendWindowSeconds + sendDeadlineMs / 1000 + lagSeconds - secondsBetween(armedAt, now))
