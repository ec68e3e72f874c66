/**
 * Meta's own kind of OAuth, which Facebook, Instagram and Threads share: short tokens are exchanged for long ones, errors come in the
 * envelope of its Graph API (https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow).
 */
import * as v from 'valibot'
import { GrantRefused } from '../connect-failures.ts'
import { throwIfUnavailable } from '../connect-responses.ts'
import type { ConsentRequest, OAuthClient } from '../connector.ts'
import { NoResponse, NotSent } from '../failures.ts'
import type { PlatformHttp, PlatformResponse } from '../publisher.ts'
import { isSuccess, parseResponse, tryParseResponse } from '../responses.ts'
import { isAuthorizationError } from './graph.ts'

type Fields = Readonly<Record<string, string>>

export const graphGet = (http: PlatformHttp, url: string, fields: Fields) =>
  http({ method: 'GET', url: `${url}?${new URLSearchParams(fields)}` })

/** Where the user consents; scopes are separated by commas. */
export const consentDialogUrl = (
  address: string,
  client: OAuthClient,
  consent: ConsentRequest,
  scopes: readonly string[],
  fields: Fields = {},
) =>
  `${address}?${new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: consent.redirectUri,
    scope: scopes.join(','),
    state: consent.state,
    ...fields,
  })}`

const failure = v.object({ error: v.object({ message: v.optional(v.string(), ''), code: v.number() }) })
/** Threads tells of codes in a form of its own. */
const codeFailure = v.pipe(
  v.object({ error_message: v.string(), code: v.number() }),
  v.transform(({ error_message: message, code }) => ({ message, code })),
)
const grant = v.object({ access_token: v.string(), expires_in: v.optional(v.number()) })

/** https://developers.facebook.com/docs/graph-api/guides/error-handling */
const transientCodes = [-1, 2]
const rateCodes = [4, 17, 32, 613]
/** Of a code, or of a token that is too young to be renewed: 100, and 400 in the form of Threads. */
const grantCodes = [100, 400]

/** A token that was given out. Throws `GrantRefused` where the code or the token is refused. */
export function parseGraphToken(response: PlatformResponse): v.InferOutput<typeof grant> {
  if (isSuccess(response)) return parseResponse(response, grant)
  const { code, message } = graphErrorIn(response)
  if (isAuthorizationError(code) || grantCodes.includes(code)) throw new GrantRefused(message)
  // 101: no such client. 1: its secret is wrong. 191: its redirect URI is. Whatever else it is, it ends no account.
  throw new Error(`Meta refuses the client of this deployment, or what it asks (${code}): ${message}`)
}

/** An answer of this shape, or null where the token is refused or permits too little. */
export function parseGraphResponse<Schema extends v.GenericSchema>(
  response: PlatformResponse,
  schema: Schema,
): v.InferOutput<Schema> | null {
  if (isSuccess(response)) return parseResponse(response, schema)
  const { code, message } = graphErrorIn(response)
  if (isAuthorizationError(code)) return null
  throw new Error(`The Graph API refuses to tell of an account (${code}): ${message}`)
}

/** Why Meta says no. In its own trouble, and from somebody between us and it, this is no word of its own: then it throws. */
function graphErrorIn(response: PlatformResponse): { code: number; message: string } {
  throwIfUnavailable(response)
  const error = tryParseResponse(response, failure)?.error ?? tryParseResponse(response, codeFailure)
  if (!error || transientCodes.includes(error.code)) throw new NoResponse(`Meta answers ${response.status}.`)
  if (rateCodes.includes(error.code)) throw new NotSent(error.message)
  return error
}
