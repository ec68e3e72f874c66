/** A test bench for connectors: a sandbox with a frozen clock, and a browser that only knows a URL. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { ConnectDeps, ConsentConnector, ConsentRequest, OAuthClient } from '../../../lib/platforms/connector.ts'
import { connectorWithUrls } from '../../../lib/platforms/connectors.ts'
import { createPlatformHttp } from '../../../lib/platforms/http.ts'
import type { RunningServer } from '../../../local/listen.ts'
import { sandboxClients } from '../../../local/sandbox/oauth/dialects.ts'
import { adjustableClock } from '../../../local/sandbox/server/clock.ts'
import type { Sandbox } from '../../../local/sandbox/server/sandbox.ts'
import { createSandbox } from '../../../local/sandbox/server/server.ts'
import { temporaryDirectoryOfFile } from '../../support/temporary-directory.ts'

const http = createPlatformHttp({ allowHttp: true, allowLoopback: true })

export interface ConnectorHarness {
  readonly sandbox: Sandbox
  connector<Kind = ConsentConnector>(): Kind
  deps(client?: OAuthClient): ConnectDeps
  consent(): ConsentRequest
  /** The user consents; returns the query of the redirect. */
  grantConsent(consent: ConsentRequest): Promise<URLSearchParams>
  /** The user submits the form with only these scopes, or without consent. */
  decide(
    consent: ConsentRequest,
    how: { allow: (scopes: string[]) => string[]; decision?: 'deny' },
  ): Promise<URLSearchParams>
  fault(op: string, kind: string): void
}

export function useConnectorHarness(platform: PlatformId): ConnectorHarness {
  const directory = temporaryDirectoryOfFile()
  let [started, door, count]: [Sandbox | undefined, RunningServer | undefined, number] = [undefined, undefined, 0]
  beforeAll(async () => {
    const frozen = Date.parse('2026-11-20T12:00:00Z')
    started = await createSandbox({ directory, clock: adjustableClock(() => frozen) })
    door = await started.start()
  })
  beforeEach(() => started?.faults.clear())
  afterAll(async () => {
    expect(started?.failures).toEqual([])
    await door?.stop()
  })
  const harness: ConnectorHarness = {
    get sandbox() {
      if (!started) throw new Error('The sandbox starts with the tests.')
      return started
    },
    connector: <Kind>() => connectorWithUrls(platform, harness.sandbox.urlsOf(platform)) as Kind,
    deps: (client = sandboxClientOf(platform)) => ({
      client,
      http,
      now: new Date(harness.sandbox.clock.now()).toISOString(),
    }),
    consent: () => ({
      state: `state-of-connection-${++count}`,
      verifier: `verifier-of-connection-${count}-that-is-long-enough`,
      redirectUri: `https://api.example.com/v1/connections/${platform}/callback`,
    }),
    async grantConsent(consent) {
      const address = await harness.connector().consentUrl(sandboxClientOf(platform), consent)
      return callbackParameters(await fetch(`${address}&login_hint=auto`, { redirect: 'manual' }))
    },
    async decide(consent, { allow, decision }) {
      const address = await harness.connector().consentUrl(sandboxClientOf(platform), consent)
      const page = await (await fetch(address)).text()
      const form = new URLSearchParams(new URL(address).search)
      form.set('user', /name="user" value="([^"]+)"/.exec(page)![1]!)
      const scopes = [...page.matchAll(/name="allow" value="([^"]+)"/g)].map(([, scope]) => scope!)
      for (const scope of allow(scopes)) form.append('allow', scope)
      form.set('decision', decision ?? 'allow')
      return callbackParameters(await fetch(address, { method: 'POST', body: form, redirect: 'manual' }))
    },
    fault: (op, kind) => harness.sandbox.faults.plan({ platform, op, kind }),
  }
  return harness
}

export const sandboxClientOf = (platform: PlatformId): OAuthClient => sandboxClients[platform] ?? { id: '', secret: '' }

async function callbackParameters(response: Response): Promise<URLSearchParams> {
  if (response.status !== 302) throw new Error(`The page answers ${response.status}: ${await response.text()}`)
  return new URL(response.headers.get('location')!).searchParams
}
