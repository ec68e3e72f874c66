/**
 * Meta's dialect of OAuth, used by Facebook, Instagram and Threads: short-lived tokens are exchanged for long-lived
 * ones, and errors have the envelope of the Graph API
 * (https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow).
 */
import * as v from 'valibot'
import { GrantRefused } from '../connect-failures.ts'
import { throwIfUnavailable } from '../connect-responses.ts'
import type { ConsentRequest, OAuthClient } from '../connector.ts'
import { NoResponse, NotSent } from '../failures.ts'
import type { PlatformResponse } from '../publisher.ts'
import { isSuccess, parseResponse, tryParseResponse } from '../responses.ts'
import { isAuthorizationError } from './graph.ts'

type Fields = Readonly<Record<string, string>>

/** The URL of the consent page; scopes are separated by commas. */
export const consentDialogUrl = (
  url: string,
  client: OAuthClient,
  consent: ConsentRequest,
  scopes: readonly string[],
  fields: Fields = {},
) =>
  `${url}?${new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: consent.redirectUri,
    scope: scopes.join(','),
    state: consent.state,
    ...fields,
  })}`

const graphErrorResponse = v.object({ error: v.object({ message: v.optional(v.string(), ''), code: v.number() }) })
/** Threads reports errors of authorization codes in another format. */
const codeErrorResponse = v.pipe(
  v.object({ error_message: v.string(), code: v.number() }),
  v.transform(({ error_message: message, code }) => ({ message, code })),
)
const tokenResponse = v.object({ access_token: v.string(), expires_in: v.optional(v.number()) })

/** https://developers.facebook.com/docs/graph-api/guides/error-handling */
const transientCodes = [-1, 2]
/** Shorter than the list for publishing in `graph.ts`. */
const loginRateCodes = [4, 17, 32, 613]
/** An invalid code, or a token too young to be refreshed: 100, and 400 in the format of Threads. */
const grantCodes = [100, 400]

/** The granted token. Throws `GrantRefused` if the code or the token is rejected. */
export function parseGraphToken(response: PlatformResponse): v.InferOutput<typeof tokenResponse> {
  if (isSuccess(response)) return parseResponse(response, tokenResponse)
  const { code, message } = graphErrorIn(response)
  if (isAuthorizationError(code) || grantCodes.includes(code)) throw new GrantRefused(message)
  // 101: unknown client. 1: wrong secret. 191: wrong redirect URI. None of these, and no other code, expires an
  // account.
  throw new Error(`Meta refuses the client of this deployment, or its request (${code}): ${message}`)
}

/** The parsed response, or null if the token is invalid or lacks a permission. */
export function parseGraphResponse<Schema extends v.GenericSchema>(
  response: PlatformResponse,
  schema: Schema,
): v.InferOutput<Schema> | null {
  if (isSuccess(response)) return parseResponse(response, schema)
  const { code, message } = graphErrorIn(response)
  if (isAuthorizationError(code)) return null
  throw new Error(`The Graph API refuses to return an account (${code}): ${message}`)
}

/**
 * The error in Meta's response. Throws `NoResponse` for internal errors of Meta and error pages of proxies, `NotSent`
 * for rate limits.
 */
function graphErrorIn(response: PlatformResponse): { code: number; message: string } {
  throwIfUnavailable(response)
  const error = tryParseResponse(response, graphErrorResponse)?.error ?? tryParseResponse(response, codeErrorResponse)
  if (!error || transientCodes.includes(error.code)) throw new NoResponse(`Meta returned status ${response.status}.`)
  if (loginRateCodes.includes(error.code)) throw new NotSent(error.message)
  return error
}
