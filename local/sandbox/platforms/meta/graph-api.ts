// Common parts of Meta's Graph APIs: the token as a parameter, and errors in an envelope.
// https://developers.facebook.com/docs/graph-api/guides/error-handling, read in 2026-11.

import type { SandboxRequest } from '../../server/request.ts'
import { ErrorResponse, respond, type SandboxPlatform, type SandboxResponse } from '../platform.ts'

export const graphError = (status: number, code: number, message: string, subcode?: number): SandboxResponse =>
  respond(status, {
    error: {
      message,
      type: code === 190 ? 'OAuthException' : 'GraphMethodException',
      code,
      ...(subcode !== undefined && { error_subcode: subcode }),
      fbtrace_id: 'AbCdEf',
    },
  })

export const graphRefusal = (code: number, message: string, subcode?: number) =>
  new ErrorResponse(graphError(400, code, message, subcode))

const isForm = ({ headers }: SandboxRequest) => headers['content-type'] === 'application/x-www-form-urlencoded'

/** From the query, the form, or for uploads the `Authorization: OAuth` header. */
export function readGraphToken(ask: SandboxRequest): string | undefined {
  const inHeader = /^OAuth (\S+)$/.exec(ask.headers.authorization ?? '')?.[1]
  const inForm = isForm(ask) ? new URLSearchParams(ask.body.toString()).get('access_token') : undefined
  return inHeader ?? inForm ?? ask.searchParams.get('access_token') ?? undefined
}

const subcodes = { missing: undefined, unknown: undefined, expired: 463, revoked: 460 }

export const graphErrors: SandboxPlatform['errors'] = {
  failure: (status) => graphError(status, 2, 'An unexpected error has occurred. Please retry your request later.'),
  unauthorised: (why) => graphError(401, 190, 'Error validating access token.', subcodes[why]),
  rateLimited: () => graphError(400, 4, 'Application request limit reached'),
  malformed: (message) => graphError(400, 100, `Invalid parameter: ${message}`),
}
