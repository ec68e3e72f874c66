// Meta's token exchange and accounts: Facebook Pages of a person, their Instagram accounts, and Threads.
// https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow, .../docs/threads/get-started, read in 2026-11.

import * as v from 'valibot'
import type { AuthorizationCodes } from '../../oauth/authorization-endpoint.ts'
import { dialects, sandboxClients } from '../../oauth/dialects.ts'
import type { SandboxTokens, SandboxUser } from '../../server/access-tokens.ts'
import type { SandboxRequest } from '../../server/request.ts'
import { ErrorResponse, type Operation, respond, type SandboxResponse } from '../platform.ts'
import { graphError } from './graph-api.ts'

const hourS = 3600
const longS = 60 * 86_400
/** The person of an account has a different id; the numbers relate them. */
const personOf = ({ externalId, username }: SandboxUser): SandboxUser => ({
  externalId: `person-${externalId}`,
  username,
})
const accountOf = ({ externalId, username }: SandboxUser): SandboxUser => ({
  externalId: externalId.replace(/^person-/, ''),
  username,
})

/** Grace has two Pages, so consenting as her requires a choice. */
function pagesOf(person: SandboxUser): SandboxUser[] {
  const own = accountOf(person)
  const second = { externalId: `${own.externalId}2`, username: `${own.username}.studio` }
  return person.username === 'grace' ? [own, second] : [own]
}

const invalid = (message: string) => new ErrorResponse(graphError(400, 100, message))

interface OAuthDeps {
  codes: AuthorizationCodes
  tokens: SandboxTokens
}

function checkClient(platform: 'facebook' | 'instagram' | 'threads', id: string | undefined, secret: string) {
  const client = sandboxClients[platform]!
  if (id !== undefined && id !== client.id)
    throw new ErrorResponse(graphError(400, 101, 'Error validating application.'))
  if (secret !== client.secret) throw new ErrorResponse(graphError(400, 1, 'Error validating client secret.'))
}

/** `/me/accounts` and the token exchange before it. */
export function pageOperations(platform: 'facebook' | 'instagram', { codes, tokens }: OAuthDeps): Operation[] {
  const graph = `/${platform}/graph/v26.0`
  const own = { client_id: v.string(), client_secret: v.string() }

  /** A code is exchanged for a token of hours, which is exchanged for one of 60 days. */
  function exchange(ask: SandboxRequest): SandboxResponse {
    const isCode = ask.searchParams.has('code')
    if (!isCode) {
      const wish = ask.query({ ...own, grant_type: v.literal('fb_exchange_token'), fb_exchange_token: v.string() })
      checkClient(platform, wish.client_id, wish.client_secret)
      const person = tokens.verify(platform, wish.fb_exchange_token)
      if (typeof person === 'string') throw new ErrorResponse(graphError(400, 190, 'Error validating access token.'))
      return given(person, tokens.scopesOf(wish.fb_exchange_token), longS)
    }
    const {
      code,
      redirect_uri: redirectUri,
      client_id: clientId,
      client_secret,
    } = ask.query({
      ...own,
      redirect_uri: v.string(),
      code: v.string(),
    })
    checkClient(platform, clientId, client_secret)
    const consented = codes.redeem({ code, clientId, redirectUri, verifier: undefined })
    if (!consented) throw invalid('Error validating verification code.')
    return given(personOf(consented.user), consented.scopes, 2 * hourS)
  }

  const given = (person: SandboxUser, scopes: readonly string[] | undefined, seconds: number) =>
    respond(200, {
      access_token: tokens.issue(platform, person, seconds, scopes),
      token_type: 'bearer',
      expires_in: seconds,
    })

  const scopesOf = (ask: SandboxRequest) =>
    tokens.scopesOf(ask.searchParams.get('access_token')!) ?? dialects[platform]!.scopes

  function permissions(ask: SandboxRequest): SandboxResponse {
    ask.query({ access_token: v.string() })
    const granted = scopesOf(ask)
    const data = dialects[platform]!.scopes.map((permission) => ({
      permission,
      status: granted.includes(permission) ? 'granted' : 'declined',
    }))
    return respond(200, { data })
  }

  /** A Page token does not expire. A person may have no Page, or no permission to post to it. */
  function pages(ask: SandboxRequest): SandboxResponse {
    ask.query({ fields: v.string(), limit: v.optional(v.string()), access_token: v.string() })
    const { kind, detail } = ask.fault ?? {}
    const tasks = kind === 'fail' && detail === 'reader' ? ['ANALYZE'] : ['ANALYZE', 'CREATE_CONTENT']
    if (kind === 'fail' && !detail) return respond(200, { data: [] })
    const own = pagesOf(ask.user).map((page) => ({
      ...fieldsOf(page),
      access_token: tokens.issue(platform, page, null, scopesOf(ask)),
      id: page.externalId,
      tasks,
    }))
    // A Page with read access only comes before the person's own.
    const seen = { ...fieldsOf({ externalId: '1', username: 'seen' }), id: '1', tasks: ['ANALYZE'] }
    const isGuest = kind === 'fail' && detail === 'guest'
    return respond(200, {
      data: [...(isGuest ? [seen] : []), ...own].slice(0, Number(ask.searchParams.get('limit') ?? 25)),
    })
  }

  function identity(ask: SandboxRequest): SandboxResponse {
    ask.query({ fields: v.string(), access_token: v.string() })
    return respond(200, fieldsOf(ask.user))
  }

  function fieldsOf({ externalId: id, username }: SandboxUser): object {
    if (platform === 'facebook') return { id, name: username, username }
    return { instagram_business_account: { id, username, name: username } }
  }

  return [
    { op: 'token', method: 'GET', path: `${graph}/oauth/access_token`, needsToken: false, handle: exchange },
    { op: 'permissions', method: 'GET', path: `${graph}/me/permissions`, needsToken: true, handle: permissions },
    { op: 'pages', method: 'GET', path: `${graph}/me/accounts`, needsToken: true, handle: pages },
    { op: 'identity', method: 'GET', path: `${graph}/me`, needsToken: true, handle: identity },
  ]
}

export function threadsOperations({ codes, tokens }: OAuthDeps): Operation[] {
  const root = '/threads/tokens'

  function exchangeCode(ask: SandboxRequest): SandboxResponse {
    const wish = ask.form({
      client_id: v.string(),
      client_secret: v.string(),
      grant_type: v.literal('authorization_code'),
      redirect_uri: v.string(),
      code: v.string(),
    })
    checkClient('threads', wish.client_id, wish.client_secret)
    const { code, client_id: clientId, redirect_uri: redirectUri } = wish
    const consented = codes.redeem({ code, clientId, redirectUri, verifier: undefined })
    if (!consented) {
      throw new ErrorResponse(
        respond(400, {
          error_type: 'OAuthException',
          code: 400,
          error_message: 'This authorization code has been used.',
        }),
      )
    }
    const { user, scopes } = consented
    return respond(200, { access_token: tokens.issue('threads', user, hourS, scopes), user_id: user.externalId })
  }

  function exchangeToken(ask: SandboxRequest): SandboxResponse {
    const wish = ask.query({
      grant_type: v.literal('th_exchange_token'),
      client_secret: v.string(),
      access_token: v.string(),
    })
    checkClient('threads', undefined, wish.client_secret)
    return extendToken(ask, wish.access_token)
  }

  /** A token can be refreshed once it is a day old. */
  function renew(ask: SandboxRequest): SandboxResponse {
    const wish = ask.query({ grant_type: v.literal('th_refresh_token'), access_token: v.string() })
    if (tokens.ageOf(wish.access_token) < 24 * hourS) throw invalid('The token is not old enough.')
    return extendToken(ask, wish.access_token)
  }

  const extendToken = ({ user }: SandboxRequest, token: string) =>
    respond(200, {
      access_token: tokens.issue('threads', user, longS, tokens.scopesOf(token)),
      token_type: 'bearer',
      expires_in: longS,
    })

  function identity(ask: SandboxRequest): SandboxResponse {
    ask.query({ fields: v.string(), access_token: v.string() })
    const { externalId: id, username } = ask.user
    return respond(200, { id, username, name: username })
  }

  return [
    { op: 'token', method: 'POST', path: `${root}/oauth/access_token`, needsToken: false, handle: exchangeCode },
    { op: 'exchange', method: 'GET', path: `${root}/access_token`, needsToken: true, handle: exchangeToken },
    { op: 'renew', method: 'GET', path: `${root}/refresh_access_token`, needsToken: true, handle: renew },
    { op: 'identity', method: 'GET', path: '/threads/graph/v1.0/me', needsToken: true, handle: identity },
  ]
}
