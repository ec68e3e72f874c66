// Sessions of a Bluesky account, after https://github.com/bluesky-social/atproto/tree/main/lexicons/com/atproto/server. Every handle that
// ends in `.sandbox.test` is an account, and its app password is `app-` and the handle.

import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { SandboxUser, Tokens } from '../../server/access-tokens.ts'
import { bearerOf } from '../../server/dispatch.ts'
import type { Ask } from '../../server/request.ts'
import { type Answer, answer, type Call } from '../platform.ts'
import { refusal } from './repository.ts'

export const accessSeconds = 7_200
export const refreshSeconds = 90 * 86_400

export const appPasswordOf = (handle: string) => `app-${handle}`

export function sessionCalls(tokens: Tokens): Call[] {
  function create(ask: Ask): Answer {
    const { identifier, password } = ask.json({ identifier: v.string(), password: v.string() })
    const isRight = identifier.endsWith('.sandbox.test') && password === appPasswordOf(identifier)
    if (!isRight) return refusal(401, 'AuthenticationRequired', 'Invalid identifier or password')
    return opened({ externalId: didOf(identifier), username: identifier }, ask)
  }

  /** The one call that takes the refresh token as its bearer, and takes it once. */
  function refresh(ask: Ask): Answer {
    if (ask.body.byteLength > 0) return refusal(400, 'InvalidRequest', 'There is nothing to say.')
    const found = tokens.redeem('bluesky', bearerOf(ask) ?? '', true)
    return found ? opened(found.user, ask) : refusal(400, 'ExpiredToken', 'Token has expired')
  }

  function opened(user: SandboxUser, { base }: Ask): Answer {
    const { externalId: did, username: handle } = user
    return answer(200, {
      did,
      handle,
      active: true,
      accessJwt: tokens.grant('bluesky', user, accessSeconds),
      refreshJwt: tokens.grantRefresh({ platform: 'bluesky', user, seconds: refreshSeconds }),
      didDoc: {
        id: did,
        service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: `${base}/bluesky/pds` }],
      },
    })
  }

  const identity = ({ user: { externalId: did, username: handle } }: Ask) => answer(200, { did, handle, active: true })

  const at = (method: string) => `/bluesky/pds/xrpc/com.atproto.server.${method}`
  return [
    { op: 'sign-in', method: 'POST', path: at('createSession'), needsToken: false, answer: create },
    { op: 'token', method: 'POST', path: at('refreshSession'), needsToken: false, answer: refresh },
    { op: 'identity', method: 'GET', path: at('getSession'), needsToken: true, answer: identity },
  ]
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567'

function didOf(handle: string): string {
  const digest = createHash('sha256').update(handle).digest().subarray(0, 24)
  return `did:plc:${Array.from(digest, (byte) => base32[byte % 32]).join('')}`
}
