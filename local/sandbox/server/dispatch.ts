// Carries a request to the call of its platform: finds it, looks for its token, lets the planned fault happen, and answers.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { turns } from '../../../lib/store/core/semaphore.ts'
import { notPermitted, scopeOf } from '../oauth/scopes.ts'
import { type Answer, type Call, Said, type SandboxPlatform } from '../platforms/platform.ts'
import type { Fault } from './fault-plan.ts'
import { type Ask, Malformed, readAsk } from './request.ts'
import type { Sandbox } from './sandbox.ts'

/** Whether there is a call with this address. */
export async function answerCall(
  sandbox: Sandbox,
  base: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const found = find(sandbox.platforms, request)
  if (!found) return false
  const { platform, call, params } = found
  const read = await readAsk(request, base)
  await sandbox.catchUp()
  const fault = sandbox.faults.strike(platform.id, call.op)
  const ask: Ask = { ...read, params, fault, user: { externalId: '', username: '' } }
  if (fault?.kind === 'late') {
    const at = sandbox.clock.now() + Number(fault.detail) * 1000
    sandbox.late.push({ at, carryOut: () => carryOut(sandbox, platform, call, { ...ask, fault: undefined }) })
  }
  const said = cutsBefore(fault) ? null : await carryOut(sandbox, platform, call, ask)
  sandbox.journal.add({
    at: sandbox.clock.now(),
    platform: platform.id,
    op: call.op,
    method: ask.method,
    path: request.url ?? '/',
    headers: ask.headers,
    bodyBytes: ask.body.byteLength,
    status: said && fault?.kind !== 'reset-after' ? said.status : null,
    fault: fault ? fault.kind : null,
  })
  if (said) write(response, said, fault)
  else response.destroy()
  return true
}

function find(platforms: readonly SandboxPlatform[], request: IncomingMessage) {
  const path = (request.url ?? '/').split('?')[0]!
  for (const platform of platforms) {
    for (const call of platform.calls) {
      const match = call.method === request.method ? patternOf(call.path).exec(path) : null
      if (match) return { platform, call, params: mapOf(match.groups) }
    }
  }
  return undefined
}

const patterns = new Map<string, RegExp>()

function patternOf(path: string): RegExp {
  const known = patterns.get(path)
  if (known) return known
  const pattern = new RegExp(`^${path.replace(/[.+?()]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
  patterns.set(path, pattern)
  return pattern
}

const mapOf = (groups: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]))

const cutsBefore = (fault: Fault | undefined) => fault?.kind === 'reset-before' || fault?.kind === 'late'

const lines = new WeakMap<SandboxPlatform, ReturnType<typeof turns>>()

/** One call of a platform after the other: what one of them looks at and changes, no other changes meanwhile. */
function carryOut(sandbox: Sandbox, platform: SandboxPlatform, call: Call, ask: Ask): Promise<Answer> {
  const line = lines.get(platform) ?? turns(1)
  lines.set(platform, line)
  return line(() => answerOf(sandbox, platform, call, ask))
}

async function answerOf(sandbox: Sandbox, platform: SandboxPlatform, call: Call, ask: Ask): Promise<Answer> {
  const { fault } = ask
  if (fault?.kind === 'http') return platform.says.failure(Number(fault.detail))
  if (fault?.kind === 'rate-limit') return platform.says.rateLimited(Number(fault.detail || 60))
  // What is streamed must say how long it is: hosts of uploads answer 411 to chunked transfer.
  if (ask.headers['transfer-encoding']) return { status: 411 }
  try {
    const done = await call.answer(call.needsToken ? withUser(sandbox, platform, call, ask) : ask)
    return fault?.kind === 'http-after' ? platform.says.failure(Number(fault.detail)) : done
  } catch (error) {
    if (error instanceof Said) return error.answer
    if (error instanceof Malformed) return platform.says.malformed(error.message)
    throw error
  }
}

/** The request of somebody whose token holds, and permits it. */
function withUser({ tokens }: Sandbox, platform: SandboxPlatform, call: Call, ask: Ask): Ask {
  const token = platform.tokenOf ? platform.tokenOf(ask) : bearerOf(ask)
  if (token && ask.fault?.kind === 'expire-token') tokens.expire(token)
  if (token && ask.fault?.kind === 'revoke') tokens.revoke(token)
  const user = tokens.check(platform.id, token)
  if (typeof user === 'string') throw new Said(platform.says.unauthorised(user))
  const scope = scopeOf(platform.id, call.op)
  if (scope && token && !tokens.permits(token, scope)) throw new Said(notPermitted(platform.id, scope))
  return { ...ask, user }
}

/** https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
export const bearerOf = (ask: Ask) => /^Bearer (\S+)$/.exec(ask.headers.authorization ?? '')?.[1]

function write(response: ServerResponse, { status, headers = {}, body }: Answer, fault: Fault | undefined): void {
  const written = typeof body === 'object' ? JSON.stringify(body) : (body ?? '')
  const type = typeof body === 'object' ? { 'content-type': 'application/json' } : {}
  if (fault?.kind === 'reset-after') return void response.destroy()
  if (fault?.kind === 'bad-json') return void response.writeHead(status, { ...type, ...headers }).end('<html>Oops')
  if (fault?.kind === 'truncate') {
    const whole = Buffer.from(written || ' ')
    response.writeHead(status, { ...type, ...headers, 'content-length': whole.length })
    response.write(whole.subarray(0, Math.floor(whole.length / 2)), () => response.destroy())
    return
  }
  response.writeHead(status, { ...type, ...headers, 'content-length': Buffer.byteLength(written) }).end(written)
}
