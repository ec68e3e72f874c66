// Sessions of a Bluesky account, after https://github.com/bluesky-social/atproto/tree/main/lexicons/com/atproto/server. Every handle that
// ends in `.sandbox.test` is an account, and its app password is `app-` and the handle.

import * as v from 'valibot'
import type { SandboxTokens, SandboxUser } from '../../server/access-tokens.ts'
import { bearerToken } from '../../server/dispatch.ts'
import type { SandboxRequest } from '../../server/request.ts'
import { type Operation, respond, type SandboxResponse } from '../platform.ts'
import { didOf } from './did.ts'
import { xrpcError } from './repository.ts'

const accessSeconds = 7_200
export const refreshSeconds = 90 * 86_400

export const appPasswordOf = (handle: string) => `app-${handle}`

export function sessionOperations(tokens: SandboxTokens): Operation[] {
  function create(ask: SandboxRequest): SandboxResponse {
    const { identifier, password } = ask.json({ identifier: v.string(), password: v.string() })
    const isRight = identifier.endsWith('.sandbox.test') && password === appPasswordOf(identifier)
    if (!isRight) return xrpcError(401, 'AuthenticationRequired', 'Invalid identifier or password')
    return opened({ externalId: didOf(identifier), username: identifier }, ask)
  }

  /** The only operation with the refresh token as bearer, which it accepts once. */
  function refresh(ask: SandboxRequest): SandboxResponse {
    if (ask.body.byteLength > 0) return xrpcError(400, 'InvalidRequest', 'There is nothing to say.')
    const found = tokens.redeem('bluesky', bearerToken(ask) ?? '', true)
    return found ? opened(found.user, ask) : xrpcError(400, 'ExpiredToken', 'Token has expired')
  }

  function opened(user: SandboxUser, { base }: SandboxRequest): SandboxResponse {
    const { externalId: did, username: handle } = user
    return respond(200, {
      did,
      handle,
      active: true,
      accessJwt: tokens.issue('bluesky', user, accessSeconds),
      refreshJwt: tokens.issueRefreshToken({ platform: 'bluesky', user, seconds: refreshSeconds }),
      didDoc: {
        id: did,
        service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: `${base}/bluesky/pds` }],
      },
    })
  }

  const identity = ({ user: { externalId: did, username: handle } }: SandboxRequest) =>
    respond(200, { did, handle, active: true })

  const at = (method: string) => `/bluesky/pds/xrpc/com.atproto.server.${method}`
  return [
    { op: 'sign-in', method: 'POST', path: at('createSession'), needsToken: false, handle: create },
    { op: 'token', method: 'POST', path: at('refreshSession'), needsToken: false, handle: refresh },
    { op: 'identity', method: 'GET', path: at('getSession'), needsToken: true, handle: identity },
  ]
}
