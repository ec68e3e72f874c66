// Dispatches a request to its operation: matches the path, authenticates, injects the planned fault and responds.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { limit } from '../../../lib/async.ts'
import { insufficientScope, requiredScope } from '../oauth/scopes.ts'
import { ErrorResponse, type Operation, type SandboxPlatform, type SandboxResponse } from '../platforms/platform.ts'
import type { Fault } from './fault-plan.ts'
import { MalformedRequest, readRequest, type SandboxRequest } from './request.ts'
import type { Sandbox } from './sandbox.ts'

/** Whether an operation has this path. */
export async function dispatchOperation(
  sandbox: Sandbox,
  base: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const found = find(sandbox.platforms, request)
  if (!found) return false
  const { platform, call, params } = found
  const read = await readRequest(request, base)
  await sandbox.runDeferred()
  const fault = sandbox.faults.next(platform.id, call.op)
  const ask: SandboxRequest = { ...read, params, fault, user: { externalId: '', username: '' } }
  if (fault?.kind === 'late') {
    const at = sandbox.clock.now() + Number(fault.detail) * 1000
    sandbox.deferred.push({ at, carryOut: () => execute(sandbox, platform, call, { ...ask, fault: undefined }) })
  }
  const result = isCutBefore(fault) ? null : await execute(sandbox, platform, call, ask)
  sandbox.requestLog.add({
    at: sandbox.clock.now(),
    platform: platform.id,
    op: call.op,
    method: ask.method,
    path: request.url ?? '/',
    headers: ask.headers,
    bodyBytes: ask.body.byteLength,
    status: result && fault?.kind !== 'reset-after' ? result.status : null,
    fault: fault ? fault.kind : null,
  })
  if (result) write(response, result, fault)
  else response.destroy()
  return true
}

function find(platforms: readonly SandboxPlatform[], request: IncomingMessage) {
  const path = (request.url ?? '/').split('?')[0]!
  for (const platform of platforms) {
    for (const call of platform.operations) {
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

const isCutBefore = (fault: Fault | undefined) => fault?.kind === 'reset-before' || fault?.kind === 'late'

const semaphores = new WeakMap<SandboxPlatform, ReturnType<typeof limit>>()

/** Operations of a platform run one after the other, so that each is isolated. */
function execute(
  sandbox: Sandbox,
  platform: SandboxPlatform,
  call: Operation,
  ask: SandboxRequest,
): Promise<SandboxResponse> {
  const line = semaphores.get(platform) ?? limit(1)
  semaphores.set(platform, line)
  return line(() => answerOf(sandbox, platform, call, ask))
}

async function answerOf(
  sandbox: Sandbox,
  platform: SandboxPlatform,
  call: Operation,
  ask: SandboxRequest,
): Promise<SandboxResponse> {
  const { fault } = ask
  if (fault?.kind === 'http') return platform.errors.failure(Number(fault.detail))
  if (fault?.kind === 'rate-limit') return platform.errors.rateLimited(Number(fault.detail || 60))
  // A streamed body needs a Content-Length: upload hosts respond to chunked transfer with 411.
  if (ask.headers['transfer-encoding']) return { status: 411 }
  try {
    const done = await call.handle(call.needsToken ? authenticate(sandbox, platform, call, ask) : ask)
    return fault?.kind === 'http-after' ? platform.errors.failure(Number(fault.detail)) : done
  } catch (error) {
    if (error instanceof ErrorResponse) return error.answer
    if (error instanceof MalformedRequest) return platform.errors.malformed(error.message)
    throw error
  }
}

/** Authenticates the request and checks the scope of its token. */
function authenticate(
  { tokens }: Sandbox,
  platform: SandboxPlatform,
  call: Operation,
  ask: SandboxRequest,
): SandboxRequest {
  const token = platform.readToken ? platform.readToken(ask) : bearerToken(ask)
  if (token && ask.fault?.kind === 'expire-token') tokens.expire(token)
  if (token && ask.fault?.kind === 'revoke') tokens.revoke(token)
  const user = tokens.verify(platform.id, token)
  if (typeof user === 'string') throw new ErrorResponse(platform.errors.unauthorised(user))
  const scope = requiredScope(platform.id, call.op)
  if (scope && token && !tokens.permits(token, scope)) throw new ErrorResponse(insufficientScope(platform.id, scope))
  return { ...ask, user }
}

/** https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
export const bearerToken = (ask: SandboxRequest) => /^Bearer (\S+)$/.exec(ask.headers.authorization ?? '')?.[1]

function write(
  response: ServerResponse,
  { status, headers = {}, body }: SandboxResponse,
  fault: Fault | undefined,
): void {
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
