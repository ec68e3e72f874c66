/**
 * How what came of a step moves a posting on, until it has ended. A post that may have appeared is never told as one that failed, and
 * none is sent behind the deadline of its run.
 */

import type { JobError, PostRefusalCode } from '../core/failures.ts'
import { postRefusalCodes, timeoutError, toJobError } from '../core/failures.ts'
import { platformName } from '../core/platform.ts'
import { truncate } from '../core/text.ts'
import { secondsAfter } from '../core/time.ts'
import type { Posting, PostingOutcome, PostingState, PostLookup, StepOutcome } from './posting.ts'

/** The time of a decision. `timeScale` makes waits that many times shorter: 1 but in the local run. */
interface TransitionClock {
  now: string
  timeScale: number
}

/** Attempts in a row that did not get on. */
export const stepAttemptsMax = 10
/** So often it may be begun anew: an upload that always comes to nothing would else be made as fast as steps are taken. */
export const restartsMax = 5
/** Whatever a platform asks for: a date behind the end of time would be none. */
const waitSecondsMax = 24 * 60 * 60
/** After a request that was not answered. */
const noResponseWaitSeconds = 5
/** Where nobody knows what became of a post, it is looked for a last time so long before the deadline. */
const lastLookupSeconds = 10

/**
 * The intent: from here on it may have appeared, until the answer is written down or the platform was read. Of a part that is not the last
 * only the platform knows whether it has arrived.
 */
export const markSending = (posting: Posting, isPart: boolean): Posting => ({ ...posting, phase: 'sending', isPart })

/** `isOnItsWay`: whether it is after going on (`lib/platforms/may-be-visible.ts`). */
export function applyStepOutcome(
  posting: Posting,
  outcome: StepOutcome,
  isOnItsWay: boolean,
  clock: TransitionClock,
): Posting {
  const open: Posting = { ...posting, phase: 'open', wantsNewToken: false }
  switch (outcome.kind) {
    case 'continue': {
      // What may publish and comes back to itself, such as a post that waits for its minute, has not got on; a part that has arrived has.
      const isBackAgain = outcome.state.step === posting.state.step && posting.phase === 'sending' && !posting.isPart
      const attempts = isBackAgain ? posting.attempts : 0
      return proceed({ ...open, attempts, isOnItsWay }, outcome.state, waitSecondsOf(outcome), clock)
    }
    case 'retry':
      return retryStep({ ...posting, wantsNewToken: false }, { ...outcome, waitSeconds: waitSecondsOf(outcome) }, clock)
    case 'unauthorised':
      // Refused before, too, it was a new one this time.
      if (posting.wantsNewToken) return failUnauthorised(open)
      return retryStep({ ...posting, wantsNewToken: true }, { waitSeconds: 0, message: 'The token is refused.' }, clock)
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

/** Nothing was sent: whatever the step was, it is done again. */
export const applyNotSent = (posting: Posting, message: string, clock: TransitionClock): Posting =>
  retryStep({ ...posting, wantsNewToken: false }, { waitSeconds: noResponseWaitSeconds, message }, clock)

/** What may have appeared is looked for next; any other step is done again. */
export function applyNoResponse(posting: Posting, message: string, clock: TransitionClock): Posting {
  const before = { ...posting, wantsNewToken: false }
  if (posting.phase === 'open') return retryStep(before, { waitSeconds: noResponseWaitSeconds, message }, clock)
  return scheduleLookup({ ...before, attempts: before.attempts + 1 }, noResponseWaitSeconds, clock)
}

/** What the platform shows of a post whose sending was not answered. */
export function applyLookup(posting: Posting, found: PostLookup, clock: TransitionClock): Posting {
  if (found.kind === 'published') return succeed(posting, found)
  const asked = { ...posting, wantsNewToken: false }
  if (found.kind === 'absent') {
    // Whoever looks for it has sent it, or died before that could be told.
    const attempts = Math.max(1, posting.attempts)
    const next: Posting = { ...asked, phase: 'open', isOnItsWay: found.mayBeLate ?? false, attempts }
    return attempts < stepAttemptsMax
      ? proceed(next, found.state, 0, clock)
      : giveUp(next, 'Its answers do not arrive.')
  }
  if (!found.isTokenRefused) return scheduleLookup(asked, found.waitSeconds, clock)
  return posting.wantsNewToken ? failUnauthorised(posting) : scheduleLookup({ ...asked, wantsNewToken: true }, 0, clock)
}

/** The same once more, later: for what is not the platform's doing, such as a token that is just being renewed. */
export const postponePosting = (posting: Posting, waitSeconds: number, clock: TransitionClock): Posting =>
  posting.phase === 'sending' ? scheduleLookup(posting, waitSeconds, clock) : scheduleStep(posting, waitSeconds, clock)

/** The platform refuses us until the user comes back. */
export const failUnauthorised = (posting: Posting): Posting =>
  endPosting(posting, {
    code: 'warning-publish-auth',
    message: `The authorization on ${platformName(posting.platform)} has expired. Connect the account again.`,
    blocked: true,
    action: 'connect',
  })

export const failAtDeadline = (posting: Posting): Posting => endPosting(posting, timeoutError)

/** What its publisher knows before anything is sent. */
export const failPreflight = (
  posting: Posting,
  { code, message }: { code: PostRefusalCode; message: string },
): Posting => failed(posting, { code, message, blocked: true })

/** Ends what has not ended: with this error where it surely has not appeared. */
export function endPosting(posting: Posting, error: JobError): Posting {
  if (posting.phase === 'ended') return posting
  const mayBeThere = posting.isOnItsWay || (posting.phase === 'sending' && !posting.isPart)
  return failed(posting, mayBeThere ? unknownError : error)
}

/** Seconds until the next step may be taken: whole ones, as state machines wait. */
export const secondsUntilStep = ({ notBefore }: Posting, now: string): number =>
  notBefore === null ? 0 : Math.max(0, Math.ceil((Date.parse(notBefore) - Date.parse(now)) / 1000))

const unknownError = toJobError(undefined, 'publish-outcome-unknown')

/** With its next state, unless that is the beginning once too often. What is on its way is looked at until the deadline. */
function proceed(before: Posting, state: PostingState, waitSeconds: number, clock: TransitionClock): Posting {
  const isBack = state.step === before.firstStep && before.state.step !== before.firstStep
  const posting: Posting = { ...before, state, restarts: before.restarts + (isBack ? 1 : 0) }
  if (isBack && posting.restarts > restartsMax) return giveUp(posting, 'Each upload comes to nothing.')
  return posting.isOnItsWay && waitSeconds > 0
    ? scheduleLookup(posting, waitSeconds, clock)
    : scheduleStep(posting, waitSeconds, clock)
}

/** Goes on after a wait, unless there is no time left for it. */
function scheduleStep(posting: Posting, seconds: number, clock: TransitionClock): Posting {
  const notBefore = seconds > 0 ? secondsAfter(clock.now, scaled(seconds, clock)) : null
  return (notBefore ?? clock.now) >= posting.deadlineAt ? failAtDeadline(posting) : { ...posting, notBefore }
}

/** Looks for it once more; when less time is left than that, right before the end. */
function scheduleLookup(posting: Posting, seconds: number, clock: TransitionClock): Posting {
  const left = Math.floor((Date.parse(posting.deadlineAt) - Date.parse(clock.now)) / 1000) - lastLookupSeconds
  const wait = Math.min(scaled(Math.max(1, seconds), clock), left)
  return wait < 1 ? failAtDeadline(posting) : { ...posting, notBefore: secondsAfter(clock.now, wait) }
}

/** Who asks to come back in 0 seconds would be asked as fast as steps are taken. */
const waitSecondsOf = ({ waitSeconds }: { waitSeconds?: number }) =>
  waitSeconds === undefined ? 0 : Math.max(1, waitSeconds)

const scaled = (seconds: number, { timeScale }: TransitionClock) =>
  Math.ceil(Math.min(seconds, waitSecondsMax) / timeScale)

/** Nothing was done: once more from the same state. What is only read, since the post is on its way, is read until the deadline. */
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
  return giveUp(posting, `It is to be asked again in ${seconds} seconds, when this run is over: ${message}`)
}

const giveUp = (posting: Posting, message: string): Posting =>
  endPosting(posting, publishFailed(`${platformName(posting.platform)} did not take the post. ${message}`))

const succeed = (posting: Posting, { externalId, url }: { externalId: string; url: string | null }): Posting =>
  withOutcome(posting, { status: 'COMPLETED', externalId, url })

/**
 * Where it is sent again, what is there already may be what an attempt before has left: nobody knows. Of a post that is on its way the
 * platform knows which one it speaks of.
 */
const failDuplicate = (posting: Posting, isSentAgain: boolean): Posting =>
  endPosting(
    { ...posting, isOnItsWay: isSentAgain },
    {
      code: 'warning-publish-duplicate',
      message: `${platformName(posting.platform)} says that it has this post already.`,
      blocked: true,
    },
  )

/** What a limit of ours names has that name; all else is the platform's word. */
function refusal(posting: Posting, { code, message }: { code: string; message: string }): JobError {
  const known = postRefusalCodes.find((one) => one === code)
  if (known) return { code: known, message, blocked: true }
  return publishFailed(`${platformName(posting.platform)} refuses the post (${code}): ${message}`)
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
