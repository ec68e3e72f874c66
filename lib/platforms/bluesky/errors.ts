/** What Bluesky's servers say of a failure: a name and a message (https://atproto.com/specs/xrpc#error-responses). */
import * as v from 'valibot'
import type { StepOutcome } from '../../domain/publishing/posting.ts'
import type { PlatformResponse } from '../publisher.ts'
import { failureOutcome, type PlatformError, tryParseResponse } from '../responses.ts'

const errorResponse = v.object({ error: v.string(), message: v.optional(v.string()) })

export function xrpcError(response: PlatformResponse): PlatformError | undefined {
  const given = tryParseResponse(response, errorResponse)
  return given && { code: given.error, message: given.message ?? given.error }
}

/** A token that has ended is told with 400. */
const tokenErrors = ['ExpiredToken', 'InvalidToken', 'AuthenticationRequired', 'AuthMissing']

/** Of the account's own server. */
export function pdsFailure(
  response: PlatformResponse,
  now: string,
  how: { publishes?: boolean } = {},
): StepOutcome<never> {
  const why = xrpcError(response)
  if (response.status === 400 && why && tokenErrors.includes(why.code)) return { kind: 'unauthorised' }
  return failureOutcome(response, now, { error: why, ...how })
}

/** Names of app.bsky.video for what passes by itself, and the seconds it takes. */
const transientErrors: Readonly<Record<string, number>> = {
  ServiceOverloaded: 30,
  UploadNotReady: 10,
  TooManyOpenUploads: 300,
  DailyLimitExceeded: 3_600,
}
/** Names for an upload that comes to nothing any more. */
const terminalUploadErrors = ['UploadNotFound', 'UploadExpired', 'UploadAborted', 'UploadFailed', 'MissingParts']

export const isUploadGone = (response: PlatformResponse): boolean =>
  terminalUploadErrors.includes(xrpcError(response)?.code ?? '')

/** Of the video service. It knows permissions, not tokens of the account: one that it refuses is made anew by the next attempt. */
export function videoServiceFailure(response: PlatformResponse, now: string): StepOutcome<never> {
  const why = xrpcError(response)
  const waitSeconds = response.status === 401 ? 15 : transientErrors[why?.code ?? '']
  if (waitSeconds === undefined) return failureOutcome(response, now, { error: why })
  return { kind: 'retry', waitSeconds, message: why?.message ?? `The video service answers ${response.status}.` }
}
