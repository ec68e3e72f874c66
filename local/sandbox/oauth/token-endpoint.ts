// The token endpoint of RFC 6749 (sections 3.2, 4.1.3 and 6), in the dialects of six platforms.

import { timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import {
  ErrorResponse,
  type Operation,
  respond,
  type SandboxPlatform,
  type SandboxResponse,
} from '../platforms/platform.ts'
import type { SandboxTokens, SandboxUser } from '../server/access-tokens.ts'
import type { SandboxRequest } from '../server/request.ts'
import type { AuthorizationCodes } from './authorization-endpoint.ts'
import { type Dialect, sandboxClients } from './dialects.ts'

interface IssuedTokens {
  user: SandboxUser
  scopes?: readonly string[] | undefined
  /** The new refresh token, if any. */
  refresh: string | undefined
}

const text = v.pipe(v.string(), v.minLength(1))

export function tokenOperation(
  { id, tokenSeconds }: SandboxPlatform,
  dialect: Dialect,
  { codes, tokens }: { codes: AuthorizationCodes; tokens: SandboxTokens },
): Operation[] {
  const { tokenPath, refresh } = dialect
  if (!tokenPath) return []
  const who = dialect.clientAuth === 'form' ? { [dialect.clientField]: text, client_secret: text } : {}
  const extra = Object.fromEntries((dialect.codeFields ?? []).map((name) => [name, v.optional(text)]))
  const verifier = dialect.pkce === 'none' ? {} : { code_verifier: v.optional(text) }
  const withCode = { ...who, ...extra, ...verifier, redirect_uri: text, code: text }

  const { errorsWithStatus200: refusesWith200, numericErrorCodes: refusesByNumber } = dialect
  function no(error: string, status = 400): ErrorResponse {
    const message = `The request is refused: ${error}.`
    if (refusesByNumber) return new ErrorResponse(respond(401, { code: refusesByNumber[error], message }))
    return new ErrorResponse(respond(refusesWith200 ? 200 : status, { error, error_description: message }))
  }

  function grant(ask: SandboxRequest): SandboxResponse {
    const type = new URLSearchParams(ask.body.toString()).get('grant_type')
    const clientId = clientOf(ask)
    const granted = type === 'refresh_token' ? refreshGrant(ask) : authorizationCodeGrant(ask, clientId)
    return respond(200, answerOf(granted), { 'cache-control': 'no-store' })
  }

  /** Checks the client secret, sent in the only way that the platform accepts. */
  function clientOf(ask: SandboxRequest): string {
    const form = new URLSearchParams(ask.body.toString())
    const inForm = `${form.get(dialect.clientField)}:${form.get('client_secret')}`
    const basic = /^Basic (\S+)$/.exec(ask.headers.authorization ?? '')?.[1] ?? ''
    const given = dialect.clientAuth === 'form' ? inForm : Buffer.from(basic, 'base64').toString()
    const { id: clientId, secret } = sandboxClients[id]!
    if (!isEqual(given, `${clientId}:${secret}`)) throw no('invalid_client', 401)
    return clientId
  }

  function authorizationCodeGrant(ask: SandboxRequest, clientId: string): IssuedTokens {
    const form: Record<string, unknown> = ask.form({ ...withCode, grant_type: v.literal('authorization_code') })
    const field = (name: string) => (form[name] === undefined ? undefined : String(form[name]))
    const claim = {
      code: field('code')!,
      clientId,
      redirectUri: field('redirect_uri')!,
      verifier: field('code_verifier'),
    }
    const consented = codes.redeem(claim)
    if (!consented) throw no('invalid_grant')
    const { user, scopes, hasRefresh } = consented
    return { user, scopes, refresh: hasRefresh ? newRefresh(user, scopes) : undefined }
  }

  function refreshGrant(ask: SandboxRequest): IssuedTokens {
    const form = ask.form({ ...who, grant_type: v.literal('refresh_token'), refresh_token: text })
    const found = refresh && tokens.redeem(id, String(form.refresh_token), refresh.isUsedOnce)
    // The same bad request for every error: https://github.com/shadowmoose/RedditDownloader/issues/217.
    if (!found && id === 'reddit') throw new ErrorResponse(respond(400, { message: 'Bad Request', error: 400 }))
    // X has no specific error for it (https://devcommunity.x.com, "Value passed for the token was invalid").
    if (!found) throw no(id === 'twitter' ? 'invalid_request' : 'invalid_grant')
    const { user, scopes } = found
    return { user, scopes, refresh: refresh.isUsedOnce ? newRefresh(user, scopes) : undefined }
  }

  const newRefresh = (user: SandboxUser, scopes: readonly string[] | undefined) =>
    tokens.issueRefreshToken({ platform: id, user, seconds: refresh?.seconds ?? null, scopes })

  function answerOf({ user, scopes, refresh: given }: IssuedTokens): object {
    const { typeless, refreshEnds, openId } = dialect.tokenResponse ?? {}
    return {
      access_token: tokens.issue(id, user, tokenSeconds, scopes),
      ...(!typeless && { token_type: 'bearer' }),
      expires_in: tokenSeconds,
      scope: (scopes ?? dialect.scopes).join(dialect.separator),
      ...(given && { refresh_token: given }),
      ...(given && refreshEnds && { [refreshEnds]: refresh?.seconds }),
      ...(openId && { open_id: user.externalId }),
    }
  }

  return [{ op: 'token', method: 'POST', path: tokenPath, needsToken: false, handle: grant }]
}

const isEqual = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
