/**
 * Adapts token endpoints (RFC 6749, section 3.2) to `oauth4webapi`: sends requests with the platform HTTP client and
 * normalises non-standard responses.
 */
import * as oauth from 'oauth4webapi'
import * as v from 'valibot'
import { GrantRefused } from '../connect-failures.ts'
import { throwIfUnavailable } from '../connect-responses.ts'
import type { OAuthClient } from '../connector.ts'
import { NoResponse } from '../failures.ts'
import type { PlatformHttp, PlatformResponse } from '../publisher.ts'
import { isSuccess, tryParseResponse } from '../responses.ts'

/** Client authentication: HTTP Basic, form fields, or form fields with TikTok's name for the client id. */
export type ClientAuth = 'basic' | 'form' | 'client_key'

/**
 * Basic without the form-encoding of RFC 6749, section 2.3.1, which `oauth4webapi` does: the platforms document the
 * plain values.
 */
const authentications: Record<ClientAuth, (secret: string) => oauth.ClientAuth> = {
  basic:
    (secret) =>
    (_server, { client_id: id }, _form, headers) =>
      headers.set('authorization', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`),
  form: oauth.ClientSecretPost,
  client_key:
    (secret) =>
    (_server, { client_id: id }, form) => {
      form.set('client_key', id)
      form.set('client_secret', secret)
    },
}

export const clientAuthentication = (method: ClientAuth, { secret }: OAuthClient) => authentications[method](secret)

/** Sends token requests through `http`, whose egress policy decides whether plain http is allowed. */
export const tokenRequestOptions = (http: PlatformHttp, headers: Record<string, string> = {}) => ({
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: async (url: string, options: oauth.CustomFetchOptions<'POST', URLSearchParams>) => {
    const body = Buffer.from(options.body.toString())
    const response = await http({ method: 'POST', url, headers: { ...options.headers, ...headers }, body })
    return new Response(JSON.stringify(parseTokenResponse(response)), {
      headers: { 'content-type': 'application/json' },
    })
  },
})

const grantResponse = v.looseObject({ access_token: v.string(), token_type: v.optional(v.string(), 'bearer') })
const asErrorResponse = (code: number, message: string) => ({ error: String(code), error_description: message })
/** RFC 6749, section 5.2; Pinterest and Reddit have formats with numbers. */
const errorResponse = v.union([
  v.object({ error: v.string(), error_description: v.optional(v.string()) }),
  v.pipe(
    v.object({ code: v.number(), message: v.string() }),
    v.transform(({ code, message }) => asErrorResponse(code, message)),
  ),
  v.pipe(
    v.object({ error: v.number(), message: v.string() }),
    v.transform(({ error, message }) => asErrorResponse(error, message)),
  ),
])

/**
 * Errors of the code or the token (RFC 6749, section 5.2). X and LinkedIn return `invalid_request` for an expired one,
 * Pinterest 283 with the status of a wrong client (https://github.com/pinterest/pinterest-python-sdk/issues/114).
 */
const grantErrors = ['invalid_grant', 'invalid_request', 'access_denied', '283']
/** Transient errors; the last two are TikTok's. */
const transientErrors = [
  'server_error',
  'temporarily_unavailable',
  'slow_down',
  'internal_error',
  'rate_limit_exceeded',
]

/**
 * Normalises a response to RFC 6749, section 5.1: LinkedIn omits the token type, TikTok and Reddit refuse with status
 * 200. Drops `id_token`, because the identity is requested separately. Throws `GrantRefused` if the code or the token
 * is rejected.
 */
function parseTokenResponse(response: PlatformResponse): object {
  throwIfUnavailable(response)
  const refusal = tryParseResponse(response, errorResponse)
  if (refusal) throw tokenError(refusal, response)
  const parsed = isSuccess(response) && tryParseResponse(response, grantResponse)
  // A granted token is lost. An error page of a proxy says nothing about the token.
  if (!parsed) throw new NoResponse(`The platform returned status ${response.status} without a token.`)
  const { id_token: _, ...grant } = parsed
  return grant
}

/**
 * Any other error concerns the deployment (such as Google's `deleted_client`) or is unknown: it must not expire the
 * account.
 */
function tokenError(
  { error, error_description: message = error }: v.InferOutput<typeof errorResponse>,
  response: PlatformResponse,
) {
  if (transientErrors.includes(error)) return new NoResponse(`The platform returned the error ${error}.`)
  const isGrantError = grantErrors.includes(error) || (response.status === 400 && /^\d+$/.test(error))
  if (isGrantError) return new GrantRefused(message)
  return new Error(`The platform refuses the client of this deployment, or its request (${error}): ${message}`)
}
