/** What Bluesky's servers say of a failure: a name and a message (https://atproto.com/specs/xrpc#error-responses). */
import * as v from 'valibot'
import type { StepOutcome } from '../../domain/publishing/posting.ts'
import type { PlatformAnswer } from '../publisher.ts'
import { failureOf, readIf, type Told } from '../responses.ts'

const trouble = v.object({ error: v.string(), message: v.optional(v.string()) })

export function told(answer: PlatformAnswer): Told | undefined {
  const given = readIf(answer, trouble)
  return given && { code: given.error, message: given.message ?? given.error }
}

/** A token that has ended is told with 400. */
const deadTokens = ['ExpiredToken', 'InvalidToken', 'AuthenticationRequired', 'AuthMissing']

/** Of the account's own server. */
export function failure(answer: PlatformAnswer, now: string, how: { publishes?: boolean } = {}): StepOutcome<never> {
  const why = told(answer)
  if (answer.status === 400 && why && deadTokens.includes(why.code)) return { kind: 'unauthorised' }
  return failureOf(answer, now, { told: why, ...how })
}

/** Names of app.bsky.video for what passes by itself, and the seconds it takes. */
const passing: Readonly<Record<string, number>> = {
  ServiceOverloaded: 30,
  UploadNotReady: 10,
  TooManyOpenUploads: 300,
  DailyLimitExceeded: 3_600,
}
/** Names for an upload that comes to nothing any more. */
const ended = ['UploadNotFound', 'UploadExpired', 'UploadAborted', 'UploadFailed', 'MissingParts']

export const hasEnded = (answer: PlatformAnswer): boolean => ended.includes(told(answer)?.code ?? '')

/** Of the video service. It knows permissions, not tokens of the account: one that it refuses is made anew by the next attempt. */
export function videoFailure(answer: PlatformAnswer, now: string): StepOutcome<never> {
  const why = told(answer)
  const waitSeconds = answer.status === 401 ? 15 : passing[why?.code ?? '']
  if (waitSeconds === undefined) return failureOf(answer, now, { told: why })
  return { kind: 'retry', waitSeconds, message: why?.message ?? `The video service answers ${answer.status}.` }
}
