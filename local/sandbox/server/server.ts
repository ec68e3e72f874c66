// The sandbox network: one server on loopback that stands for the social platforms. Each speaks the platform's documented protocol
// with its checks; what it lets appear stands in the ledger and on the walls. What goes wrong is planned by whoever asks for it.

import { mkdir } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import { listen, once } from '../../listen.ts'
import { forOwnCallers } from '../../loopback-guard.ts'
import { connectedWith, withConnections } from '../oauth/index.ts'
import { makePlatforms } from '../platforms/index.ts'
import type { SandboxPlatform } from '../platforms/platform.ts'
import { zernioBefore } from '../platforms/zernio.ts'
import { openTokens } from './access-tokens.ts'
import { movableClock, type SandboxClock } from './clock.ts'
import { answerControl } from './control-api.ts'
import { answerCall } from './dispatch.ts'
import { faultPlan } from './fault-plan.ts'
import { openMedia } from './media-store.ts'
import { openLedger } from './published-posts.ts'
import { openJournal } from './request-log.ts'
import type { Sandbox } from './sandbox.ts'
import { openRecords } from './store.ts'

export async function createSandbox({
  directory,
  clock = movableClock(),
}: {
  directory: string
  clock?: SandboxClock
}): Promise<Sandbox> {
  await mkdir(directory, { recursive: true })
  const records = openRecords(join(directory, 'sandbox.sqlite'))
  const media = await openMedia(join(directory, 'media'))
  const ground = { clock, records, media, ledger: openLedger(records, clock) }
  const tokens = openTokens(records, clock)
  const platforms = makePlatforms.map((make) => withConnections(make(ground), ground, tokens))
  const aggregators = platforms.map(({ id }) => zernioBefore(id, ground))
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
    faults: faultPlan(),
    tokens,
    journal: openJournal(),
    failures: [],
    late: [],
    async catchUp() {
      const due = sandbox.late.filter(({ at }) => at <= clock.now())
      for (const one of due) {
        sandbox.late.splice(sandbox.late.indexOf(one), 1)
        await one.carryOut()
      }
    },
    // What is cut off by the end of the sandbox finds its records closed: that is no failure.
    handler: (request, response) => void respond(sandbox, request, response, () => isOpen),
    urlsOf: (platform) => ({ ...find(platform).urls(base), ...find(platform, aggregators).urls(base) }),
    grant: (platform, user) => sandbox.tokens.grant(platform, user, find(platform).tokenSeconds),
    connect(platform, user) {
      const { tokenSeconds } = find(platform)
      const accessEndsAt = tokenSeconds === null ? null : new Date(clock.now() + tokenSeconds * 1000).toISOString()
      const access = sandbox.grant(platform, user)
      return { access, accessEndsAt, ...connectedWith(platform, user, access, tokens, clock.now()) }
    },
    async start(port = 0) {
      const door = await listen(createServer(forOwnCallers(sandbox.handler)), port)
      base = door.url
      return { url: door.url, stop: once(() => door.stop().finally(close)) }
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
    if (await answerCall(sandbox, `http://${request.headers.host}`, request, response)) return
    if (await answerControl(sandbox, request, response)) return
    response.writeHead(404, { 'content-type': 'text/plain' }).end('No platform of the sandbox has this address.\n')
  } catch (error) {
    if (!isOpen()) return
    sandbox.failures.push(error)
    process.stderr.write(`The sandbox failed at ${request.method} ${request.url}: ${(error as Error).stack}\n`)
    if (!response.headersSent) response.writeHead(599, { 'content-type': 'text/plain' })
    response.end('The sandbox itself failed.\n')
  }
}
