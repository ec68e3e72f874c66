/** Meta's Graph API, as Instagram, Threads and Facebook Pages have it: how it is asked, and what its errors mean. */
import * as v from 'valibot'
import type { PostRefusalCode } from '../../domain/core/failures.ts'
import type { StepOutcome } from '../../domain/publishing/posting.ts'
import { NoResponse } from '../failures.ts'
import type { PlatformResponse, PublishContext } from '../publisher.ts'
import { formPostRequest } from '../requests.ts'
import { failureOutcome, tryParseResponse } from '../responses.ts'

export type GraphFields = Readonly<Record<string, string>>

/** The address of a Graph API with its version, then the path; the token goes as the parameter that all of its documents name. */
export const graphGet = (url: string, path: string, { http, token }: PublishContext, fields: GraphFields) =>
  http({ method: 'GET', url: `${url}${path}?${new URLSearchParams({ ...fields, access_token: token })}` })

export const graphPost = (url: string, path: string, { http, token }: PublishContext, fields: GraphFields) =>
  http(formPostRequest(`${url}${path}`, { ...fields, access_token: token }))

const failure = v.object({
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
  // Of Facebook's reels: ratio, resolution, duration, frame rate.
  1363040: 'film-wrong-format',
  1363127: 'film-wrong-format',
  1363128: 'film-too-long',
  1363129: 'film-wrong-format',
}

/** How long what passes by itself takes, by subcode and by code; https://developers.facebook.com/docs/graph-api/guides/error-handling */
const retrySecondsBySubcode: Record<number, number> = {
  // The container is not ready; the film could not be fetched; what was made a moment ago is not found.
  2207027: 30,
  2207003: 30,
  2207052: 30,
  33: 10,
  // So many posts a day.
  2207042: 3600,
  // Their service is down.
  1363047: 300,
  1609010: 300,
}
/** Too many calls; of the app, the user, the page. */
const rateCodes = [4, 17, 32, 613, 80001, 80002, 80006]
const rateSeconds = 300
/** Of the account, which no patience ends, whatever the code beside it. */
const accountRestrictionSubcodes = [2207050, 2207051, 4279013]
/** Blocked for doing too much of it. */
const blockedCode = 368
const blockedSeconds = 3600
/** Errors that say nothing but that something went wrong on their side: what was asked may have been done. */
const ambiguousCodes = [-1, 1, 2]
const ambiguousSubcodes = [2207001, 2207008, 2207032, 2207053, 1363047, 1609010]
const unclearSeconds = 15
/** 190 is the token itself, the others what the user allows (https://developers.facebook.com/docs/graph-api/guides/error-handling). */
export const isAuthorizationError = (code: number) => code === 190 || code === 10 || (code >= 200 && code <= 299)

/** What an answer that is no success means; of a call that publishes, `NoAnswer` where it may have been done all the same. */
export function graphFailure(response: PlatformResponse, now: string, publishes = false): StepOutcome<never> {
  const given = tryParseResponse(response, failure)?.error
  if (!given) return failureOutcome(response, now, { publishes })
  const { code, error_subcode: subcode = 0 } = given
  const message = given.error_user_msg ?? given.message
  const retry = (waitSeconds: number) => ({ kind: 'retry', waitSeconds, message }) as const
  const isUnclear = response.status >= 500 || ambiguousCodes.includes(code) || ambiguousSubcodes.includes(subcode)
  if (publishes && isUnclear) throw new NoResponse(message)
  const refused = postRefusals[subcode]
  if (refused) return { kind: 'refused', code: refused, message }
  const wait = retrySecondsBySubcode[subcode]
  if (wait) return retry(wait)
  if (isAuthorizationError(code)) return { kind: 'unauthorised' }
  if (code === 506) return { kind: 'duplicate', externalId: null, url: null }
  if (code === blockedCode) return retry(blockedSeconds)
  if (rateCodes.includes(code) && !accountRestrictionSubcodes.includes(subcode)) return retry(rateSeconds)
  if (isUnclear) return retry(unclearSeconds)
  return { kind: 'refused', code: subcode ? `${code}-${subcode}` : String(code), message }
}
