/**
 * How what came of a step moves a posting on, until it has ended. A post that may have appeared is never told as one that failed, and
 * none is sent behind the deadline of its run.
 */

import type { JobError, PostRefusalCode } from '../core/failures.ts'
import { jobError, postRefusalCodes, timeoutError } from '../core/failures.ts'
import { platformName } from '../core/platform.ts'
import { inShort } from '../core/text.ts'
import { secondsAfter } from '../core/time.ts'
import type { Found, Posting, PostingEnd, PostingState, StepOutcome } from './posting.ts'

/** The time of a decision. `timeScale` makes waits that many times shorter: 1 but in the local run. */
export interface Pace {
  now: string
  timeScale: number
}

/** Attempts in a row that did not get on. */
export const attemptsMax = 10
/** So often it may be begun anew: an upload that always comes to nothing would else be made as fast as steps are taken. */
export const restartsMax = 5
/** Whatever a platform asks for: a date behind the end of time would be none. */
const waitSecondsMax = 24 * 60 * 60
/** After a request that was not answered. */
const troubleSeconds = 5
/** Where nobody knows what became of a post, it is looked for a last time so long before the deadline. */
const lastLookSeconds = 10

/**
 * The intent: from here on it may have appeared, until the answer is written down or the platform was read. Of a part that is not the last
 * only the platform knows whether it has arrived.
 */
export const toBeSent = (posting: Posting, isPart: boolean): Posting => ({ ...posting, phase: 'sending', isPart })

/** `isOnItsWay`: whether it is after going on (`lib/platforms/may-be-visible.ts`). */
export function afterOutcome(posting: Posting, outcome: StepOutcome, isOnItsWay: boolean, pace: Pace): Posting {
  const open: Posting = { ...posting, phase: 'open', wantsNewToken: false }
  switch (outcome.kind) {
    case 'continue': {
      // What may publish and comes back to itself, such as a post that waits for its minute, has not got on; a part that has arrived has.
      const isBackAgain = outcome.state.step === posting.state.step && posting.phase === 'sending' && !posting.isPart
      const attempts = isBackAgain ? posting.attempts : 0
      return goingOn({ ...open, attempts, isOnItsWay }, outcome.state, pauseOf(outcome), pace)
    }
    case 'retry':
      return triedInVain({ ...posting, wantsNewToken: false }, { ...outcome, waitSeconds: pauseOf(outcome) }, pace)
    case 'unauthorised':
      // Refused before, too, it was a new one this time.
      if (posting.wantsNewToken) return withoutToken(open)
      return triedInVain(
        { ...posting, wantsNewToken: true },
        { waitSeconds: 0, message: 'The token is refused.' },
        pace,
      )
    case 'done':
      return reached(posting, outcome)
    case 'duplicate':
      return outcome.externalId
        ? reached(posting, { ...outcome, externalId: outcome.externalId })
        : repeated(open, posting.phase === 'sending' && posting.attempts > 0)
    case 'refused':
      return failed(posting, refusal(posting, outcome))
  }
}

/** Nothing was sent: whatever the step was, it is done again. */
export const afterNotSent = (posting: Posting, message: string, pace: Pace): Posting =>
  triedInVain({ ...posting, wantsNewToken: false }, { waitSeconds: troubleSeconds, message }, pace)

/** What may have appeared is looked for next; any other step is done again. */
export function afterNoAnswer(posting: Posting, message: string, pace: Pace): Posting {
  const before = { ...posting, wantsNewToken: false }
  if (posting.phase === 'open') return triedInVain(before, { waitSeconds: troubleSeconds, message }, pace)
  return looking({ ...before, attempts: before.attempts + 1 }, troubleSeconds, pace)
}

/** What the platform shows of a post whose sending was not answered. */
export function afterFound(posting: Posting, found: Found, pace: Pace): Posting {
  if (found.kind === 'published') return reached(posting, found)
  const asked = { ...posting, wantsNewToken: false }
  if (found.kind === 'absent') {
    // Whoever looks for it has sent it, or died before that could be told.
    const attempts = Math.max(1, posting.attempts)
    const next: Posting = { ...asked, phase: 'open', isOnItsWay: found.mayBeLate ?? false, attempts }
    return attempts < attemptsMax ? goingOn(next, found.state, 0, pace) : givenUp(next, 'Its answers do not arrive.')
  }
  if (!found.isTokenRefused) return looking(asked, found.waitSeconds, pace)
  return posting.wantsNewToken ? withoutToken(posting) : looking({ ...asked, wantsNewToken: true }, 0, pace)
}

/** The same once more, later: for what is not the platform's doing, such as a token that is just being renewed. */
export const postponed = (posting: Posting, waitSeconds: number, pace: Pace): Posting =>
  posting.phase === 'sending' ? looking(posting, waitSeconds, pace) : waiting(posting, waitSeconds, pace)

/** The platform refuses us until the user comes back. */
export const withoutToken = (posting: Posting): Posting =>
  closed(posting, {
    code: 'warning-publish-auth',
    message: `The authorization on ${platformName(posting.platform)} has expired. Connect the account again.`,
    blocked: true,
    action: 'connect',
  })

export const atDeadline = (posting: Posting): Posting => closed(posting, timeoutError)

/** What its publisher knows before anything is sent. */
export const unfit = (posting: Posting, { code, message }: { code: PostRefusalCode; message: string }): Posting =>
  failed(posting, { code, message, blocked: true })

/** Ends what has not ended: with this error where it surely has not appeared. */
export function closed(posting: Posting, error: JobError): Posting {
  if (posting.phase === 'ended') return posting
  const mayBeThere = posting.isOnItsWay || (posting.phase === 'sending' && !posting.isPart)
  return failed(posting, mayBeThere ? unknownError : error)
}

/** Seconds until the next step may be taken: whole ones, as state machines wait. */
export const secondsToWait = ({ notBefore }: Posting, now: string): number =>
  notBefore === null ? 0 : Math.max(0, Math.ceil((Date.parse(notBefore) - Date.parse(now)) / 1000))

const unknownError = jobError(undefined, 'publish-outcome-unknown')

/** With its next state, unless that is the beginning once too often. What is on its way is looked at until the deadline. */
function goingOn(before: Posting, state: PostingState, waitSeconds: number, pace: Pace): Posting {
  const isBack = state.step === before.firstStep && before.state.step !== before.firstStep
  const posting: Posting = { ...before, state, restarts: before.restarts + (isBack ? 1 : 0) }
  if (isBack && posting.restarts > restartsMax) return givenUp(posting, 'Each upload comes to nothing.')
  return posting.isOnItsWay && waitSeconds > 0
    ? looking(posting, waitSeconds, pace)
    : waiting(posting, waitSeconds, pace)
}

/** Goes on after a wait, unless there is no time left for it. */
function waiting(posting: Posting, seconds: number, pace: Pace): Posting {
  const notBefore = seconds > 0 ? secondsAfter(pace.now, scaled(seconds, pace)) : null
  return (notBefore ?? pace.now) >= posting.deadlineAt ? atDeadline(posting) : { ...posting, notBefore }
}

/** Looks for it once more; when less time is left than that, right before the end. */
function looking(posting: Posting, seconds: number, pace: Pace): Posting {
  const left = Math.floor((Date.parse(posting.deadlineAt) - Date.parse(pace.now)) / 1000) - lastLookSeconds
  const wait = Math.min(scaled(Math.max(1, seconds), pace), left)
  return wait < 1 ? atDeadline(posting) : { ...posting, notBefore: secondsAfter(pace.now, wait) }
}

/** Who asks to come back in 0 seconds would be asked as fast as steps are taken. */
const pauseOf = ({ waitSeconds }: { waitSeconds?: number }) =>
  waitSeconds === undefined ? 0 : Math.max(1, waitSeconds)

const scaled = (seconds: number, { timeScale }: Pace) => Math.ceil(Math.min(seconds, waitSecondsMax) / timeScale)

/** Nothing was done: once more from the same state. What is only read, since the post is on its way, is read until the deadline. */
function triedInVain(
  before: Posting,
  { waitSeconds, message }: { waitSeconds: number; message: string },
  pace: Pace,
): Posting {
  const posting: Posting = { ...before, phase: 'open', attempts: before.attempts + 1 }
  if (posting.isOnItsWay && before.phase === 'open') return looking(posting, waitSeconds, pace)
  if (posting.attempts >= attemptsMax) return givenUp(posting, message)
  const next = waiting(posting, waitSeconds, pace)
  if (next.phase !== 'ended' || waitSeconds === 0) return next
  const seconds = Math.min(waitSeconds, waitSecondsMax)
  return givenUp(posting, `It is to be asked again in ${seconds} seconds, when this run is over: ${message}`)
}

const givenUp = (posting: Posting, message: string): Posting =>
  closed(posting, publishFailed(`${platformName(posting.platform)} did not take the post. ${message}`))

const reached = (posting: Posting, { externalId, url }: { externalId: string; url: string | null }): Posting =>
  ended(posting, { status: 'COMPLETED', externalId, url })

/**
 * Where it is sent again, what is there already may be what an attempt before has left: nobody knows. Of a post that is on its way the
 * platform knows which one it speaks of.
 */
const repeated = (posting: Posting, isSentAgain: boolean): Posting =>
  closed(
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
  ended(posting, { status: 'FAILED', error: { ...error, message: inShort(error.message) } })

const ended = (posting: Posting, end: PostingEnd): Posting => ({ ...posting, phase: 'ended', notBefore: null, end })
