/**
 * The transitions of a posting: from the outcome of a step to the next state, until it has ended. A post that may be visible
 * is never reported as failed, and nothing is sent after the deadline of the run.
 */

import { isWebUrl } from '../core/bounded.ts'
import type { JobError, PostRefusalCode } from '../core/failures.ts'
import { postRefusalCodes, timeoutError, toJobError } from '../core/failures.ts'
import { platformName } from '../core/platform.ts'
import { truncate } from '../core/text.ts'
import { secondsAfter } from '../core/time.ts'
import { pollWaitSeconds } from './poll-backoff.ts'
import type { Posting, PostingOutcome, PostingState, PostLookup, StepOutcome } from './posting.ts'

/** The time of a transition. `timeScale` divides waits: 1 except in the local run. */
interface TransitionClock {
  now: string
  timeScale: number
}

/** Attempts in a row without progress. */
export const stepAttemptsMax = 10
/** Bounds restarts from the first step: uploads that keep getting lost would otherwise repeat without a pause. */
export const restartsMax = 5
/** Upper bound for waits that a platform asks for; an unbounded one could exceed the range of dates. */
const waitSecondsMax = 24 * 60 * 60
/** After a request without a response. */
const noResponseWaitSeconds = 5
/** An unknown outcome is looked up a last time this long before the deadline. */
const lastLookupSeconds = 10

/**
 * Persists the intent to send: the post may be visible from here on, until the response is recorded or a lookup says
 * otherwise. After a part that is not the last (`isPart`) it is not visible, but only the platform knows whether the part arrived.
 */
export const markSending = (posting: Posting, isPart: boolean): Posting => ({ ...posting, phase: 'sending', isPart })

/**
 * Whether the next step is due. `restartedAt`: when the emulated platforms of a local run started; a wait that began before
 * is over, because what it waited for has ended with the process.
 */
export const isStepDue = ({ phase, notBefore, scheduledAt }: Posting, now: string, restartedAt?: string): boolean =>
  phase !== 'ended' &&
  (notBefore === null || notBefore <= now || (scheduledAt !== undefined && isBefore(scheduledAt, restartedAt)))

/** Whether a request that may have published was sent before that restart: it has taken effect, or never will. */
export const isSettledByRestart = ({ phase, sentAt }: Posting, restartedAt: string | undefined): boolean =>
  phase === 'sending' && sentAt !== undefined && isBefore(sentAt, restartedAt)

const isBefore = (time: string, restartedAt: string | undefined) => restartedAt !== undefined && time < restartedAt

/** `isOnItsWay`: whether the post may be visible after a `continue` (`lib/platforms/may-be-visible.ts`). */
export function applyStepOutcome(
  posting: Posting,
  outcome: StepOutcome,
  isOnItsWay: boolean,
  clock: TransitionClock,
): Posting {
  const open: Posting = { ...posting, phase: 'open', wantsNewToken: false }
  switch (outcome.kind) {
    case 'continue': {
      // A publishing step that returns to itself, such as a post that waits for its minute, made no progress; an uploaded part did.
      const isSameStep = outcome.state.step === posting.state.step && posting.phase === 'sending' && !posting.isPart
      const attempts = isSameStep ? posting.attempts : 0
      const isPoll = outcome.waitSeconds !== undefined && outcome.state.step === posting.state.step
      const waitSeconds = isPoll ? backoffOf(posting, waitSecondsOf(outcome), clock) : waitSecondsOf(outcome)
      return proceed({ ...open, attempts, isOnItsWay }, outcome.state, waitSeconds, clock)
    }
    case 'retry':
      return retryStep({ ...posting, wantsNewToken: false }, { ...outcome, waitSeconds: waitSecondsOf(outcome) }, clock)
    case 'unauthorised':
      // The second rejection in a row was of a new token.
      if (posting.wantsNewToken) return failUnauthorised(open)
      return retryStep(
        { ...posting, wantsNewToken: true },
        { waitSeconds: 0, message: 'The token was rejected.' },
        clock,
      )
    case 'done':
      return succeed(posting, outcome)
    case 'duplicate':
      return outcome.externalId
        ? succeed(posting, { ...outcome, externalId: outcome.externalId })
        : failDuplicate(open, posting.phase === 'sending' && posting.attempts > 0)
    case 'refused':
      return failed(posting, refusal(posting, outcome))
  }
}

/** Nothing was sent: retries the step. */
export const applyNotSent = (posting: Posting, message: string, clock: TransitionClock): Posting =>
  retryStep({ ...posting, wantsNewToken: false }, { waitSeconds: noResponseWaitSeconds, message }, clock)

/** A request had no response: looks up a post that may be visible, retries any other step. */
export function applyNoResponse(posting: Posting, message: string, clock: TransitionClock): Posting {
  const before = { ...posting, wantsNewToken: false }
  if (posting.phase === 'open') return retryStep(before, { waitSeconds: noResponseWaitSeconds, message }, clock)
  return scheduleLookup({ ...before, attempts: before.attempts + 1 }, noResponseWaitSeconds, clock)
}

/** The result of a lookup after an unanswered request. */
export function applyLookup(posting: Posting, found: PostLookup, clock: TransitionClock): Posting {
  if (found.kind === 'published') return succeed(posting, found)
  const checked = { ...posting, wantsNewToken: false }
  if (found.kind === 'absent') {
    // At least one: the request was sent, or the worker crashed before it could record that.
    const attempts = Math.max(1, posting.attempts)
    const next: Posting = { ...checked, phase: 'open', isOnItsWay: found.mayBeLate ?? false, attempts }
    return attempts < stepAttemptsMax
      ? proceed(next, found.state, 0, clock)
      : giveUp(next, 'Its responses do not arrive.')
  }
  if (!found.isTokenRefused) return scheduleLookup(checked, found.waitSeconds, clock)
  return posting.wantsNewToken
    ? failUnauthorised(posting)
    : scheduleLookup({ ...checked, wantsNewToken: true }, 0, clock)
}

/** Retries later without counting an attempt: for causes on our side, such as a token that is being refreshed. */
export const postponePosting = (posting: Posting, waitSeconds: number, clock: TransitionClock): Posting =>
  posting.phase === 'sending' ? scheduleLookup(posting, waitSeconds, clock) : scheduleStep(posting, waitSeconds, clock)

/** The authorization has expired: fails until the user reconnects the account. */
export const failUnauthorised = (posting: Posting): Posting =>
  endPosting(posting, {
    code: 'warning-publish-auth',
    message: `The authorization on ${platformName(posting.platform)} has expired. Connect the account again.`,
    blocked: true,
    action: 'connect',
  })

/** No lookup will show whether the post is visible. */
export const endUnknown = (posting: Posting): Posting => endPosting(posting, unknownError)

export const failAtDeadline = (posting: Posting): Posting => endPosting(posting, timeoutError)

/** Fails a post that violates a limit of its platform, before anything is sent. */
export const failPreflight = (
  posting: Posting,
  { code, message }: { code: PostRefusalCode; message: string },
): Posting => failed(posting, { code, message, blocked: true })

/** Ends an open posting: with `error` if the post is definitely not visible, otherwise with an unknown outcome. */
export function endPosting(posting: Posting, error: JobError): Posting {
  if (posting.phase === 'ended') return posting
  const mayBeVisible = posting.isOnItsWay || (posting.phase === 'sending' && !posting.isPart)
  return failed(posting, mayBeVisible ? unknownError : error)
}

/** Whole seconds until the next step is due, for the wait state of the state machine. */
export const secondsUntilStep = ({ notBefore }: Posting, now: string): number =>
  notBefore === null ? 0 : Math.max(0, Math.ceil((Date.parse(notBefore) - Date.parse(now)) / 1000))

const unknownError = toJobError(undefined, 'publish-outcome-unknown')

/** Moves to the next state, unless it restarts too often. A post that may be visible is looked up until the deadline. */
function proceed(before: Posting, state: PostingState, waitSeconds: number, clock: TransitionClock): Posting {
  const isRestart = state.step === before.firstStep && before.state.step !== before.firstStep
  const posting: Posting = { ...before, state, restarts: before.restarts + (isRestart ? 1 : 0) }
  if (isRestart && posting.restarts > restartsMax) return giveUp(posting, 'Repeated uploads were lost.')
  return posting.isOnItsWay && waitSeconds > 0
    ? scheduleLookup(posting, waitSeconds, clock)
    : scheduleStep(posting, waitSeconds, clock)
}

/** Schedules the next step after a wait; fails if that is beyond the deadline. */
function scheduleStep(posting: Posting, seconds: number, clock: TransitionClock): Posting {
  const notBefore = seconds > 0 ? secondsAfter(clock.now, scaled(seconds, clock)) : null
  if ((notBefore ?? clock.now) >= posting.deadlineAt) return failAtDeadline(posting)
  return { ...posting, notBefore, scheduledAt: clock.now }
}

/** Schedules a lookup after a wait, at the latest right before the deadline. */
function scheduleLookup(posting: Posting, seconds: number, clock: TransitionClock): Posting {
  const remaining = Math.floor((Date.parse(posting.deadlineAt) - Date.parse(clock.now)) / 1000) - lastLookupSeconds
  const wait = Math.min(scaled(Math.max(1, seconds), clock), remaining)
  if (wait < 1) return failAtDeadline(posting)
  return { ...posting, notBefore: secondsAfter(clock.now, wait), scheduledAt: clock.now }
}

/** At least a second: a platform that asks for 0 would be polled without a pause. */
const waitSecondsOf = ({ waitSeconds }: { waitSeconds?: number }) =>
  waitSeconds === undefined ? 0 : Math.max(1, waitSeconds)

/** Ages and deadlines are real times, while waits are divided by the scale. */
function backoffOf({ post, deadlineAt }: Posting, asked: number, { now, timeScale }: TransitionClock): number {
  const secondsBetween = (from: string, to: string) => ((Date.parse(to) - Date.parse(from)) / 1000) * timeScale
  return pollWaitSeconds(asked, secondsBetween(post.acceptedAt, now), secondsBetween(now, deadlineAt))
}

const scaled = (seconds: number, { timeScale }: TransitionClock) =>
  Math.ceil(Math.min(seconds, waitSecondsMax) / timeScale)

/** Retries from the same state, up to the maximum. Polling a post that may be visible continues until the deadline. */
function retryStep(
  before: Posting,
  { waitSeconds, message }: { waitSeconds: number; message: string },
  clock: TransitionClock,
): Posting {
  const posting: Posting = { ...before, phase: 'open', attempts: before.attempts + 1 }
  if (posting.isOnItsWay && before.phase === 'open') return scheduleLookup(posting, waitSeconds, clock)
  if (posting.attempts >= stepAttemptsMax) return giveUp(posting, message)
  const next = scheduleStep(posting, waitSeconds, clock)
  if (next.phase !== 'ended' || waitSeconds === 0) return next
  const seconds = Math.min(waitSeconds, waitSecondsMax)
  return giveUp(posting, `It asks to retry in ${seconds} seconds, after the deadline of this run: ${message}`)
}

const giveUp = (posting: Posting, message: string): Posting =>
  endPosting(posting, publishFailed(`${platformName(posting.platform)} did not accept the post. ${message}`))

/** The URL is the platform's: one that clients cannot be shown counts as none. */
const succeed = (posting: Posting, { externalId, url }: { externalId: string; url: string | null }): Posting =>
  withOutcome(posting, { status: 'COMPLETED', externalId, url: url !== null && isWebUrl(url) ? url : null })

/** Of a post that was sent again the outcome is unknown: the duplicate may be the result of an earlier attempt. */
const failDuplicate = (posting: Posting, isSentAgain: boolean): Posting =>
  endPosting(
    { ...posting, isOnItsWay: isSentAgain },
    {
      code: 'warning-publish-duplicate',
      message: `${platformName(posting.platform)} reports that it already has this post.`,
      blocked: true,
    },
  )

/** Known limits have their own code; any other refusal is reported in the platform's words. */
function refusal(posting: Posting, { code, message }: { code: string; message: string }): JobError {
  const known = postRefusalCodes.find((one) => one === code)
  if (known) return { code: known, message, blocked: true }
  return publishFailed(`${platformName(posting.platform)} refused the post (${code}): ${message}`)
}

const publishFailed = (message: string): JobError => ({ code: 'publish-failed', message, blocked: false })

const failed = (posting: Posting, error: JobError): Posting =>
  withOutcome(posting, { status: 'FAILED', error: { ...error, message: truncate(error.message) } })

const withOutcome = (posting: Posting, end: PostingOutcome): Posting => ({
  ...posting,
  phase: 'ended',
  notBefore: null,
  end,
})
