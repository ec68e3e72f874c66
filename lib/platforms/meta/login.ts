/**
 * Meta's own kind of OAuth, which Facebook, Instagram and Threads share: short tokens are exchanged for long ones, errors come in the
 * envelope of its Graph API (https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow).
 */
import * as v from 'valibot'
import { GrantRefused } from '../connect-failures.ts'
import { throwInTrouble } from '../connect-responses.ts'
import type { Consent, OAuthClient } from '../connector.ts'
import { NoAnswer, NotSent } from '../failures.ts'
import type { PlatformAnswer, PlatformHttp } from '../publisher.ts'
import { isSuccess, read, readIf } from '../responses.ts'
import { isPermission } from './graph.ts'

type Fields = Readonly<Record<string, string>>

export const graphGet = (http: PlatformHttp, url: string, fields: Fields) =>
  http({ method: 'GET', url: `${url}?${new URLSearchParams(fields)}` })

/** Where the user consents; scopes are separated by commas. */
export const dialogUrl = (
  address: string,
  client: OAuthClient,
  consent: Consent,
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
const troubleCodes = [-1, 2]
const rateCodes = [4, 17, 32, 613]
/** Of a code, or of a token that is too young to be renewed: 100, and 400 in the form of Threads. */
const grantCodes = [100, 400]

/** A token that was given out. Throws `GrantRefused` where the code or the token is refused. */
export function grantIn(answer: PlatformAnswer): v.InferOutput<typeof grant> {
  if (isSuccess(answer)) return read(answer, grant)
  const { code, message } = toldIn(answer)
  if (isPermission(code) || grantCodes.includes(code)) throw new GrantRefused(message)
  // 101: no such client. 1: its secret is wrong. 191: its redirect URI is. Whatever else it is, it ends no account.
  throw new Error(`Meta refuses the client of this deployment, or what it asks (${code}): ${message}`)
}

/** An answer of this shape, or null where the token is refused or permits too little. */
export function graphRead<Schema extends v.GenericSchema>(
  answer: PlatformAnswer,
  schema: Schema,
): v.InferOutput<Schema> | null {
  if (isSuccess(answer)) return read(answer, schema)
  const { code, message } = toldIn(answer)
  if (isPermission(code)) return null
  throw new Error(`The Graph API refuses to tell of an account (${code}): ${message}`)
}

/** Why Meta says no. In its own trouble, and from somebody between us and it, this is no word of its own: then it throws. */
function toldIn(answer: PlatformAnswer): { code: number; message: string } {
  throwInTrouble(answer)
  const told = readIf(answer, failure)?.error ?? readIf(answer, codeFailure)
  if (!told || troubleCodes.includes(told.code)) throw new NoAnswer(`Meta answers ${answer.status}.`)
  if (rateCodes.includes(told.code)) throw new NotSent(told.message)
  return told
}
