/** XRPC errors of Bluesky's servers (https://atproto.com/specs/xrpc#error-responses), mapped to outcomes. */
import * as v from 'valibot'
import type { StepOutcome } from '../../domain/publishing/posting.ts'
import type { PlatformResponse } from '../publisher.ts'
import { failureOutcome, type PlatformError, tryParseResponse } from '../responses.ts'

export const xrpcErrorResponse = v.object({ error: v.string(), message: v.optional(v.string()) })

export function xrpcError(response: PlatformResponse): PlatformError | undefined {
  const parsed = tryParseResponse(response, xrpcErrorResponse)
  return parsed && { code: parsed.error, message: parsed.message ?? parsed.error }
}

/** Errors for an expired or invalid token, sent with status 400. */
const tokenErrors = ['ExpiredToken', 'InvalidToken', 'AuthenticationRequired', 'AuthMissing']

/** Maps a failure of the account's server (PDS). */
export function pdsFailure(
  response: PlatformResponse,
  now: string,
  options: { publishes?: boolean } = {},
): StepOutcome<never> {
  const error = xrpcError(response)
  if (response.status === 400 && error && tokenErrors.includes(error.code)) return { kind: 'unauthorised' }
  return failureOutcome(response, now, { error, ...options })
}

/** Transient errors of app.bsky.video, with the seconds until a retry. */
const transientErrors: Readonly<Record<string, number>> = {
  ServiceOverloaded: 30,
  UploadNotReady: 10,
  TooManyOpenUploads: 300,
  DailyLimitExceeded: 3_600,
}
/** Errors for an upload that cannot be continued. */
const terminalUploadErrors = ['UploadNotFound', 'UploadExpired', 'UploadAborted', 'UploadFailed', 'MissingParts']

export const isUploadGone = (response: PlatformResponse): boolean =>
  terminalUploadErrors.includes(xrpcError(response)?.code ?? '')

/**
 * Maps a failure of the video service. 401 concerns the service token, not the account: the next attempt requests a new
 * one.
 */
export function videoServiceFailure(response: PlatformResponse, now: string): StepOutcome<never> {
  const error = xrpcError(response)
  const waitSeconds = response.status === 401 ? 15 : transientErrors[error?.code ?? '']
  if (waitSeconds === undefined) return failureOutcome(response, now, { error })
  return {
    kind: 'retry',
    waitSeconds,
    message: error?.message ?? `The video service returned status ${response.status}.`,
  }
}
