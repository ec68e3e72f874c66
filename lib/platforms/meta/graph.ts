/**
 * Meta's Graph API, used by Instagram, Threads and Facebook Pages: publish requests, and their errors mapped to
 * outcomes.
 */
import * as v from 'valibot'
import type { PostRefusalCode } from '../../domain/core/failures.ts'
import type { StepOutcome } from '../../domain/publishing/posting.ts'
import { NoResponse } from '../failures.ts'
import type { PlatformHttp, PlatformResponse, PublishContext } from '../publisher.ts'
import { formPostRequest } from '../requests.ts'
import { failureOutcome, tryParseResponse } from '../responses.ts'

type GraphFields = Readonly<Record<string, string>>

export const graphGet = (http: PlatformHttp, url: string, fields: GraphFields) =>
  http({ method: 'GET', url: `${url}?${new URLSearchParams(fields)}` })

/** `graph` includes the version. The token is the parameter `access_token`, as in all of Meta's documents. */
export const graphPost = (graph: string, path: string, { http, token }: PublishContext, fields: GraphFields) =>
  http(formPostRequest(`${graph}${path}`, { ...fields, access_token: token }))

const graphErrorResponse = v.object({
  error: v.object({
    message: v.optional(v.string(), ''),
    code: v.number(),
    error_subcode: v.optional(v.number()),
    error_user_msg: v.optional(v.string()),
  }),
})

/** https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes */
const postRefusals: Record<number, PostRefusalCode> = {
  2207009: 'film-wrong-format',
  2207010: 'caption-too-long',
  2207026: 'film-wrong-format',
  // Facebook reels: ratio, resolution, duration, frame rate.
  1363040: 'film-wrong-format',
  1363127: 'film-wrong-format',
  1363128: 'film-too-long',
  1363129: 'film-wrong-format',
}

/** Waits after transient errors, by subcode; https://developers.facebook.com/docs/graph-api/guides/error-handling */
const retrySecondsBySubcode: Record<number, number> = {
  // The container is not ready; the video could not be fetched; a new object is not found yet.
  2207027: 30,
  2207003: 30,
  2207052: 30,
  33: 10,
  // The daily limit of posts.
  2207042: 3600,
  // The service is unavailable.
  1363047: 300,
  1609010: 300,
}
/** Rate limits of the app, the user and the page; `login.ts` has a shorter list for connecting. */
const publishRateCodes = [4, 17, 32, 613, 80001, 80002, 80006]
const rateSeconds = 300
/** Restrictions of the account: not retryable, whatever the code. */
const accountRestrictionSubcodes = [2207050, 2207051, 4279013]
/** Temporarily blocked for overuse. */
const blockedCode = 368
const blockedSeconds = 3600
/** Internal errors of Meta: the request may have taken effect. */
const ambiguousCodes = [-1, 1, 2]
const ambiguousSubcodes = [2207001, 2207008, 2207032, 2207053, 1363047, 1609010]
const ambiguousSeconds = 15
/**
 * 190 concerns the token, the others its permissions
 * (https://developers.facebook.com/docs/graph-api/guides/error-handling).
 */
export const isAuthorizationError = (code: number) => code === 190 || code === 10 || (code >= 200 && code <= 299)

/** Maps a failure. For a call that publishes, throws `NoResponse` if the call may have taken effect. */
export function graphFailure(response: PlatformResponse, now: string, publishes = false): StepOutcome<never> {
  const error = tryParseResponse(response, graphErrorResponse)?.error
  if (!error) return failureOutcome(response, now, { publishes })
  const { code, error_subcode: subcode = 0 } = error
  const message = error.error_user_msg ?? error.message
  const retry = (waitSeconds: number) => ({ kind: 'retry', waitSeconds, message }) as const
  const isAmbiguous = response.status >= 500 || ambiguousCodes.includes(code) || ambiguousSubcodes.includes(subcode)
  if (publishes && isAmbiguous) throw new NoResponse(message)
  const refusalCode = postRefusals[subcode]
  if (refusalCode) return { kind: 'refused', code: refusalCode, message }
  const wait = retrySecondsBySubcode[subcode]
  if (wait) return retry(wait)
  if (isAuthorizationError(code)) return { kind: 'unauthorised' }
  if (code === 506) return { kind: 'duplicate', externalId: null, url: null }
  if (code === blockedCode) return retry(blockedSeconds)
  if (publishRateCodes.includes(code) && !accountRestrictionSubcodes.includes(subcode)) return retry(rateSeconds)
  if (isAmbiguous) return retry(ambiguousSeconds)
  return { kind: 'refused', code: subcode ? `${code}-${subcode}` : String(code), message }
}
