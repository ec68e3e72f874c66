// The token endpoint of RFC 6749 (sections 3.2, 4.1.3 and 6), in the dialects of six platforms.

import { timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { type Answer, answer, type Call, Said, type SandboxPlatform } from '../platforms/platform.ts'
import type { SandboxUser, Tokens } from '../server/access-tokens.ts'
import type { Ask } from '../server/request.ts'
import type { Codes } from './authorization-endpoint.ts'
import { type Dialect, sandboxClients } from './dialects.ts'

interface Granted {
  user: SandboxUser
  scopes?: readonly string[] | undefined
  /** A new one, where there is one. */
  refresh: string | undefined
}

const text = v.pipe(v.string(), v.minLength(1))

export function tokenCall(
  { id, tokenSeconds }: SandboxPlatform,
  dialect: Dialect,
  { codes, tokens }: { codes: Codes; tokens: Tokens },
): Call[] {
  const { tokenPath, refresh } = dialect
  if (!tokenPath) return []
  const who = dialect.clientAuth === 'form' ? { [dialect.clientField]: text, client_secret: text } : {}
  const extra = Object.fromEntries((dialect.codeFields ?? []).map((name) => [name, v.optional(text)]))
  const verifier = dialect.pkce === 'none' ? {} : { code_verifier: v.optional(text) }
  const withCode = { ...who, ...extra, ...verifier, redirect_uri: text, code: text }

  const { refusesWith200, refusesByNumber } = dialect
  function no(error: string, status = 400): Said {
    const message = `The request is refused: ${error}.`
    if (refusesByNumber) return new Said(answer(401, { code: refusesByNumber[error], message }))
    return new Said(answer(refusesWith200 ? 200 : status, { error, error_description: message }))
  }

  function grant(ask: Ask): Answer {
    const type = new URLSearchParams(ask.body.toString()).get('grant_type')
    const clientId = clientOf(ask)
    const granted = type === 'refresh_token' ? renewed(ask) : exchanged(ask, clientId)
    return answer(200, answerOf(granted), { 'cache-control': 'no-store' })
  }

  /** In the one way that the platform takes, with the right secret. */
  function clientOf(ask: Ask): string {
    const form = new URLSearchParams(ask.body.toString())
    const inForm = `${form.get(dialect.clientField)}:${form.get('client_secret')}`
    const basic = /^Basic (\S+)$/.exec(ask.headers.authorization ?? '')?.[1] ?? ''
    const given = dialect.clientAuth === 'form' ? inForm : Buffer.from(basic, 'base64').toString()
    const { id: clientId, secret } = sandboxClients[id]!
    if (!isEqual(given, `${clientId}:${secret}`)) throw no('invalid_client', 401)
    return clientId
  }

  function exchanged(ask: Ask, clientId: string): Granted {
    const form: Record<string, unknown> = ask.form({ ...withCode, grant_type: v.literal('authorization_code') })
    const field = (name: string) => (form[name] === undefined ? undefined : String(form[name]))
    const claim = {
      code: field('code')!,
      clientId,
      redirectUri: field('redirect_uri')!,
      verifier: field('code_verifier'),
    }
    const consented = codes.take(claim)
    if (!consented) throw no('invalid_grant')
    const { user, scopes, hasRefresh } = consented
    return { user, scopes, refresh: hasRefresh ? newRefresh(user, scopes) : undefined }
  }

  function renewed(ask: Ask): Granted {
    const form = ask.form({ ...who, grant_type: v.literal('refresh_token'), refresh_token: text })
    const found = refresh && tokens.redeem(id, String(form.refresh_token), refresh.isUsedOnce)
    // A bad request, whatever was wrong with it: https://github.com/shadowmoose/RedditDownloader/issues/217.
    if (!found && id === 'reddit') throw new Said(answer(400, { message: 'Bad Request', error: 400 }))
    // X has no word of its own for it (https://devcommunity.x.com, "Value passed for the token was invalid").
    if (!found) throw no(id === 'twitter' ? 'invalid_request' : 'invalid_grant')
    const { user, scopes } = found
    return { user, scopes, refresh: refresh.isUsedOnce ? newRefresh(user, scopes) : undefined }
  }

  const newRefresh = (user: SandboxUser, scopes: readonly string[] | undefined) =>
    tokens.grantRefresh({ platform: id, user, seconds: refresh?.seconds ?? null, scopes })

  function answerOf({ user, scopes, refresh: given }: Granted): object {
    const { typeless, refreshEnds, openId } = dialect.answers ?? {}
    return {
      access_token: tokens.grant(id, user, tokenSeconds, scopes),
      ...(!typeless && { token_type: 'bearer' }),
      expires_in: tokenSeconds,
      scope: (scopes ?? dialect.scopes).join(dialect.separator),
      ...(given && { refresh_token: given }),
      ...(given && refreshEnds && { [refreshEnds]: refresh?.seconds }),
      ...(openId && { open_id: user.externalId }),
    }
  }

  return [{ op: 'token', method: 'POST', path: tokenPath, needsToken: false, answer: grant }]
}

const isEqual = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
