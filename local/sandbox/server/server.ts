// The sandbox: one server on loopback that emulates the social platforms with their documented protocols and checks. Published posts are
// stored and shown on the feed page. Faults are injected by plan.

import { mkdir } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import { listen, runOnce } from '../../listen.ts'
import { withLoopbackGuard } from '../../loopback-guard.ts'
import { issueRefreshTokenFor, withOAuth } from '../oauth/index.ts'
import { platformFactories } from '../platforms/index.ts'
import type { SandboxPlatform } from '../platforms/platform.ts'
import { zernioAggregator } from '../platforms/zernio.ts'
import { openSandboxTokens } from './access-tokens.ts'
import { adjustableClock, type SandboxClock } from './clock.ts'
import { handleControl } from './control-api.ts'
import { dispatchOperation } from './dispatch.ts'
import { createFaultPlan } from './fault-plan.ts'
import { openMediaStore } from './media-store.ts'
import { openPublishedPosts } from './published-posts.ts'
import { createRequestLog } from './request-log.ts'
import type { Sandbox } from './sandbox.ts'
import { openSandboxStore } from './store.ts'

export async function createSandbox({
  directory,
  clock = adjustableClock(),
}: {
  directory: string
  clock?: SandboxClock
}): Promise<Sandbox> {
  await mkdir(directory, { recursive: true })
  const records = openSandboxStore(join(directory, 'sandbox.sqlite'))
  const media = await openMediaStore(join(directory, 'media'))
  const ground = { clock, records, media, publishedPosts: openPublishedPosts(records, clock) }
  const tokens = openSandboxTokens(records, clock)
  const platforms = platformFactories.map((make) => withOAuth(make(ground), ground, tokens))
  const aggregators = platforms.map(({ id }) => zernioAggregator(id, ground))
  const find = (id: PlatformId, among: readonly SandboxPlatform[] = platforms) => {
    const found = among.find((platform) => platform.id === id)
    if (!found) throw new Error(`The sandbox does not speak for ${id}.`)
    return found
  }
  let base = ''
  let isOpen = true
  const close = () => {
    isOpen = false
    records.close()
  }
  const sandbox: Sandbox = {
    ...ground,
    platforms: [...platforms, ...aggregators],
    faults: createFaultPlan(),
    tokens,
    requestLog: createRequestLog(),
    failures: [],
    deferred: [],
    async runDeferred() {
      const due = sandbox.deferred.filter(({ at }) => at <= clock.now())
      for (const one of due) {
        sandbox.deferred.splice(sandbox.deferred.indexOf(one), 1)
        await one.carryOut()
      }
    },
    // Requests interrupted by the stop of the sandbox find its store closed: not an error.
    handler: (request, response) => void respond(sandbox, request, response, () => isOpen),
    urlsOf: (platform) => ({ ...find(platform).urls(base), ...find(platform, aggregators).urls(base) }),
    issueToken: (platform, user) => sandbox.tokens.issue(platform, user, find(platform).tokenSeconds),
    connect(platform, user) {
      const { tokenSeconds } = find(platform)
      const accessEndsAt = tokenSeconds === null ? null : new Date(clock.now() + tokenSeconds * 1000).toISOString()
      const access = sandbox.issueToken(platform, user)
      return { access, accessEndsAt, ...issueRefreshTokenFor(platform, user, access, tokens, clock.now()) }
    },
    async start(port = 0) {
      const running = await listen(createServer(withLoopbackGuard(sandbox.handler)), port)
      base = running.url
      return { url: running.url, stop: runOnce(() => running.stop().finally(close)) }
    },
  }
  return sandbox
}

async function respond(
  sandbox: Sandbox,
  request: IncomingMessage,
  response: ServerResponse,
  isOpen: () => boolean,
): Promise<void> {
  try {
    if (await dispatchOperation(sandbox, `http://${request.headers.host}`, request, response)) return
    if (await handleControl(sandbox, request, response)) return
    response.writeHead(404, { 'content-type': 'text/plain' }).end('No platform of the sandbox has this address.\n')
  } catch (error) {
    if (!isOpen()) return
    sandbox.failures.push(error)
    process.stderr.write(`The sandbox failed at ${request.method} ${request.url}: ${(error as Error).stack}\n`)
    if (!response.headersSent) response.writeHead(599, { 'content-type': 'text/plain' })
    response.end('The sandbox itself failed.\n')
  }
}
