// The authorization endpoint (RFC 6749): the consent page and the codes that it returns to clients. `login_hint=auto` consents at once.

import { createHash, randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { type PlatformId, platforms } from '../../../lib/domain/core/platform.ts'
import { type Operation, respond, type SandboxDeps, type SandboxResponse } from '../platforms/platform.ts'
import type { SandboxUser } from '../server/access-tokens.ts'
import { MalformedRequest, type SandboxRequest } from '../server/request.ts'
import { consentPage, errorPage } from './consent-page.ts'
import { type Dialect, sandboxClients } from './dialects.ts'

interface Code {
  user: SandboxUser
  clientId: string
  redirectUri: string
  scopes: readonly string[]
  challenge: string | null
  hasRefresh: boolean
  endsAt: number
  isUsed: boolean
}

/** The parameters that must match when a code is exchanged. */
interface Authorization {
  user: SandboxUser
  scopes: readonly string[]
  hasRefresh: boolean
}

interface CodeExchange {
  code: string
  clientId: string
  redirectUri: string
  verifier: string | undefined
}

export interface AuthorizationCodes {
  issue(code: Omit<Code, 'endsAt' | 'isUsed'>): string
  /** Redeems a code once; undefined if a parameter does not match. */
  redeem(claim: CodeExchange): Authorization | undefined
}

export function openAuthorizationCodes(
  { records, clock }: SandboxDeps,
  platform: PlatformId,
  seconds: number,
): AuthorizationCodes {
  const codes = records.collection<Code>(`${platform}-code`)
  return {
    issue(code) {
      const id = randomBytes(16).toString('base64url')
      codes.put(id, { ...code, endsAt: clock.now() + seconds * 1000, isUsed: false })
      return id
    },
    redeem({ code: id, clientId, redirectUri, verifier }) {
      const code = codes.get(id)
      if (!code || code.isUsed || code.endsAt <= clock.now()) return undefined
      codes.put(id, { ...code, isUsed: true })
      const isSame = code.clientId === clientId && code.redirectUri === redirectUri
      return isSame && isVerified(code.challenge, verifier) ? code : undefined
    },
  }
}

/** S256 of RFC 7636, section 4.6. Without a challenge there is nothing to verify. */
function isVerified(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return verifier === undefined
  return verifier !== undefined && createHash('sha256').update(verifier).digest('base64url') === challenge
}

const usual = { response_type: v.literal('code'), redirect_uri: v.pipe(v.string(), v.url()), scope: v.string() }
const pkceFields = {
  code_challenge: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
  code_challenge_method: v.literal('S256'),
}

/** The accepted parameters; any other is rejected. */
function authorizationRequestFields({ clientField, extraFields = [], pkce }: Dialect): v.ObjectEntries {
  const pkceOf = {
    none: {},
    allowed: {
      code_challenge: v.optional(pkceFields.code_challenge),
      code_challenge_method: v.optional(v.literal('S256')),
    },
    required: pkceFields,
  }[pkce]
  return {
    ...usual,
    ...pkceOf,
    [clientField]: v.string(),
    state: v.pipe(v.string(), v.minLength(16)),
    ...Object.fromEntries(extraFields.map((name) => [name, v.optional(v.string())])),
  }
}

export function authorizationOperations(
  ground: SandboxDeps,
  platform: PlatformId,
  dialect: Dialect,
  codes: AuthorizationCodes,
): Operation[] {
  const entries = authorizationRequestFields(dialect)
  const name = platforms.find(({ id }) => id === platform)!.name
  const people = ground.records.collection<SandboxUser>(`${platform}-person`)
  for (const person of sampleUsers(platform)) people.put(person.externalId, person)

  /** The authorization request, from the query or from the submitted form. */
  function checked(given: Record<string, string>): Record<string, string> {
    const parameters = v.safeParse(v.strictObject(entries), given)
    if (!parameters.success)
      throw new MalformedRequest(`${v.getDotPath(parameters.issues[0]) ?? 'It'}: ${parameters.issues[0].message}`)
    if (given[dialect.clientField] !== sandboxClients[platform]!.id)
      throw new MalformedRequest('There is no such client.')
    const isRegistered = new URL(given.redirect_uri!).pathname.endsWith(`/connections/${platform}/callback`)
    if (!isRegistered) throw new MalformedRequest('The redirect URI is not registered.')
    const unknown = scopesIn(given).filter((scope) => !dialect.scopes.includes(scope))
    if (unknown.length > 0) throw new MalformedRequest(`There is no scope ${unknown.join(', ')}.`)
    return given
  }

  const scopesIn = (parameters: Record<string, string>) => parameters.scope!.split(dialect.separator)

  function show(ask: SandboxRequest): SandboxResponse {
    const { login_hint: hint, ...given } = Object.fromEntries(ask.searchParams)
    const parameters = checked(given)
    const [first] = people.list()
    if (hint === 'auto') return back(parameters, first!, scopesIn(parameters))
    return page(200, consentPage({ platform, name, parameters, scopes: scopesIn(parameters), people: people.list() }))
  }

  function decide(ask: SandboxRequest): SandboxResponse {
    const form = new URLSearchParams(ask.body.toString())
    const [allowed, decision, id] = [form.getAll('allow'), form.get('decision'), form.get('user') ?? '']
    for (const field of ['allow', 'decision', 'user']) form.delete(field)
    const parameters = checked(Object.fromEntries(form))
    const person = people.get(id)
    if (!person) throw new MalformedRequest('There is no such user.')
    if (decision !== 'allow')
      return redirect(parameters, { error: 'access_denied', error_description: 'The user said no.' })
    return back(
      parameters,
      person,
      scopesIn(parameters).filter((scope) => allowed.includes(scope)),
    )
  }

  function back(parameters: Record<string, string>, user: SandboxUser, scopes: readonly string[]): SandboxResponse {
    const { wants } = dialect.refresh ?? {}
    const hasFields = Object.entries(wants?.fields ?? {}).every(([field, word]) =>
      parameters[field]?.split(' ').includes(word),
    )
    const code = codes.issue({
      user,
      clientId: parameters[dialect.clientField]!,
      redirectUri: parameters.redirect_uri!,
      scopes,
      challenge: parameters.code_challenge ?? null,
      hasRefresh: dialect.refresh !== undefined && hasFields && (!wants?.scope || scopes.includes(wants.scope)),
    })
    return redirect(parameters, { code })
  }

  function redirect({ redirect_uri, state }: Record<string, string>, result: Record<string, string>): SandboxResponse {
    const url = new URL(redirect_uri!)
    for (const [field, value] of Object.entries({ ...result, state: state! })) url.searchParams.set(field, value)
    return respond(302, undefined, { location: url.href })
  }

  const { authorizePath: path } = dialect
  const calls = [
    { op: 'authorize', method: 'GET' as const, handle: show },
    { op: 'decide', method: 'POST' as const, handle: decide },
  ]
  return calls.map((call) => ({
    ...call,
    path,
    needsToken: false,
    handle: (ask: SandboxRequest) => orErrorPage(() => call.handle(ask)),
  }))

  function orErrorPage(run: () => SandboxResponse): SandboxResponse {
    try {
      return run()
    } catch (error) {
      if (error instanceof MalformedRequest) return page(400, errorPage(name, error.message))
      throw error
    }
  }
}

const page = (status: number, html: string) => respond(status, html, { 'content-type': 'text/html; charset=utf-8' })

/** Sample users, in the format of the platform. */
const sampleUsers = (platform: PlatformId): SandboxUser[] =>
  ['ada', 'grace', 'alan'].map((username, index) => {
    const number = String(7_000_001 + index)
    return { externalId: platform === 'linkedin' ? `urn:li:person:${number}` : number, username }
  })
