/** Where connectors are tried: a sandbox with a clock that stands still, and a browser that knows no more than an address. */
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { PlatformId } from '../../lib/domain/core/platform.ts'
import type { ConnectionPlace, Consent, ConsentConnector, OAuthClient } from '../../lib/platforms/connector.ts'
import { platformHttp } from '../../lib/platforms/http.ts'
import { connectorAt } from '../../lib/platforms/index.ts'
import type { Door } from '../../local/listen.ts'
import { sandboxClients } from '../../local/sandbox/oauth/dialects.ts'
import { movableClock } from '../../local/sandbox/server/clock.ts'
import type { Sandbox } from '../../local/sandbox/server/sandbox.ts'
import { createSandbox } from '../../local/sandbox/server/server.ts'

const http = platformHttp({ allowHttp: true, allowLoopback: true })

export interface Stage {
  readonly sandbox: Sandbox
  connector<Kind = ConsentConnector>(): Kind
  place(client?: OAuthClient): ConnectionPlace
  consent(): Consent
  /** The user allows what is asked for; gives what the browser comes back with. */
  allow(consent: Consent): Promise<URLSearchParams>
  /** The user fills in the form, allowing only these scopes, or nothing at all. */
  decide(consent: Consent, how: { allow: (scopes: string[]) => string[]; decision?: 'deny' }): Promise<URLSearchParams>
  fault(op: string, kind: string): void
}

export function stageOf(platform: PlatformId): Stage {
  const directory = mkdtempSync(join(tmpdir(), 'connections-'))
  let [started, door, count]: [Sandbox | undefined, Door | undefined, number] = [undefined, undefined, 0]
  beforeAll(async () => {
    const frozen = Date.parse('2026-11-20T12:00:00Z')
    started = await createSandbox({ directory, clock: movableClock(() => frozen) })
    door = await started.start()
  })
  beforeEach(() => started?.faults.clear())
  afterAll(async () => {
    expect(started?.failures).toEqual([])
    await door?.stop()
    await rm(directory, { recursive: true, force: true })
  })
  const stage: Stage = {
    get sandbox() {
      if (!started) throw new Error('The sandbox starts with the tests.')
      return started
    },
    connector: <Kind>() => connectorAt(platform, stage.sandbox.urlsOf(platform)) as Kind,
    place: (client = clientOf(platform)) => ({
      client,
      http,
      now: new Date(stage.sandbox.clock.now()).toISOString(),
    }),
    consent: () => ({
      state: `state-of-connection-${++count}`,
      verifier: `verifier-of-connection-${count}-that-is-long-enough`,
      redirectUri: `https://api.example.com/v1/connections/${platform}/callback`,
    }),
    async allow(consent) {
      const address = await stage.connector().consentUrl(clientOf(platform), consent)
      return cameBack(await fetch(`${address}&login_hint=auto`, { redirect: 'manual' }))
    },
    async decide(consent, { allow, decision }) {
      const address = await stage.connector().consentUrl(clientOf(platform), consent)
      const page = await (await fetch(address)).text()
      const form = new URLSearchParams(new URL(address).search)
      form.set('user', /name="user" value="([^"]+)"/.exec(page)![1]!)
      const scopes = [...page.matchAll(/name="allow" value="([^"]+)"/g)].map(([, scope]) => scope!)
      for (const scope of allow(scopes)) form.append('allow', scope)
      form.set('decision', decision ?? 'allow')
      return cameBack(await fetch(address, { method: 'POST', body: form, redirect: 'manual' }))
    },
    fault: (op, kind) => stage.sandbox.faults.plan({ platform, op, kind }),
  }
  return stage
}

export const clientOf = (platform: PlatformId): OAuthClient => sandboxClients[platform] ?? { id: '', secret: '' }

async function cameBack(response: Response): Promise<URLSearchParams> {
  if (response.status !== 302) throw new Error(`The page answers ${response.status}: ${await response.text()}`)
  return new URL(response.headers.get('location')!).searchParams
}
