/** Grants of OAuth 2.0 as they go through the one door to the platforms, with the liberties that token endpoints take mended on the way. */
import * as oauth from 'oauth4webapi'
import * as v from 'valibot'
import { GrantRefused } from '../connect-failures.ts'
import { throwIfUnavailable } from '../connect-responses.ts'
import type { OAuthClient } from '../connector.ts'
import { NoResponse } from '../failures.ts'
import type { PlatformHttp, PlatformResponse } from '../publisher.ts'
import { isSuccess, tryParseResponse } from '../responses.ts'

/** How a client says who it is: `Basic`, in the form, or in the form under TikTok's name for its id. */
export type ClientAuth = 'basic' | 'form' | 'client_key'

/** The platforms document the two texts as they are; RFC 6749, section 2.3.1, has them encoded first, as `oauth4webapi` does. */
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

export const clientAuthentication = (how: ClientAuth, { secret }: OAuthClient) => authentications[how](secret)

/** Where a grant is sent: through the guarded door, which alone decides whether an address may be plain http. */
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

const granted = v.looseObject({ access_token: v.string(), token_type: v.optional(v.string(), 'bearer') })
const asErrorResponse = (number: number, message: string) => ({ error: String(number), error_description: message })
/** Section 5.2; Pinterest and Reddit tell of it in forms of their own, by numbers. */
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
 * What is said of the code or the token (RFC 6749, section 5.2). X and LinkedIn say `invalid_request` of one that has ended, Pinterest 283 with
 * the status that it has for a wrong client (https://github.com/pinterest/pinterest-python-sdk/issues/114).
 */
const grantErrors = ['invalid_grant', 'invalid_request', 'access_denied', '283']
/** What is said of the moment; the last two are TikTok's. */
const transientErrors = [
  'server_error',
  'temporarily_unavailable',
  'slow_down',
  'internal_error',
  'rate_limit_exceeded',
]

/**
 * A grant as RFC 6749, section 5.1, has it. LinkedIn names no type of token; TikTok and Reddit refuse with status 200; and of who the user
 * is (`id_token`) the platform is asked itself. Throws `GrantRefused` where the code or the token is refused.
 */
function parseTokenResponse(response: PlatformResponse): object {
  throwIfUnavailable(response)
  const refusal = tryParseResponse(response, errorResponse)
  if (refusal) throw tokenError(refusal, response)
  const given = isSuccess(response) && tryParseResponse(response, granted)
  // Whatever was given out is lost; a page of somebody between us and the platform says nothing of the token.
  if (!given) throw new NoResponse(`The platform answers ${response.status}, and with no token.`)
  const { id_token: _, ...grant } = given
  return grant
}

/** Every other word is about the deployment (Google has `deleted_client`), or nobody's whom we know: it ends no account. */
function tokenError(
  { error, error_description: why = error }: v.InferOutput<typeof errorResponse>,
  response: PlatformResponse,
) {
  if (transientErrors.includes(error)) return new NoResponse(`The platform answers ${error}.`)
  const isOfGrant = grantErrors.includes(error) || (response.status === 400 && /^\d+$/.test(error))
  if (isOfGrant) return new GrantRefused(why)
  return new Error(`The platform refuses the client of this deployment, or what it asks (${error}): ${why}`)
}
