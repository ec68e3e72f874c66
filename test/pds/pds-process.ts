/** The real Bluesky server in a separate process, and an account on it that accepts posts. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface PdsProcess {
  pds: string
  video: string
  /** A token as the server would have issued it, but one that expired a minute ago. */
  expired(access: string): string
  stop(): Promise<void>
}

export async function startPds(): Promise<PdsProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'pds-'))
  const server = spawn(process.execPath, [join(import.meta.dirname, 'server.js'), directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', LOG_ENABLED: 'false' },
  })
  const { pds, video, jwtSecret } = JSON.parse(await firstLineOf(server))
  return {
    pds,
    video,
    expired: (access) => expiredJwt(access, jwtSecret),
    async stop() {
      // Its expiry follows from that of its input.
      server.stdin?.end()
      if (server.exitCode === null) await once(server, 'exit')
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function firstLineOf(server: ChildProcess): Promise<string> {
  const line = once(createInterface({ input: server.stdout! }), 'line')
  const gone = once(server, 'exit').then(([code]) => Promise.reject(new Error(`The server ended with ${code}.`)))
  gone.catch(() => {})
  const [text] = await Promise.race([line, gone])
  return String(text)
}

/** Signed again with the server's secret (RFC 7515). */
function expiredJwt(access: string, secret: string): string {
  const [header = '', payload = ''] = access.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const past = { ...claims, exp: Math.floor(Date.now() / 1000) - 60 }
  const signed = `${header}.${Buffer.from(JSON.stringify(past)).toString('base64url')}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

interface Question {
  token?: string
  body?: object
  query?: Record<string, string>
}

/** Calls the server as the user's own program would. Throws the server's error message. */
export async function callXrpc<Said>(
  pds: string,
  method: string,
  { token, body, query = {} }: Question,
): Promise<Said> {
  const answer = await fetch(`${pds}/xrpc/com.atproto.${method}?${new URLSearchParams(query)}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const said = await answer.text()
  if (!answer.ok) throw new Error(`${method} answers ${answer.status}: ${said}`)
  return JSON.parse(said)
}

/** A new account, and an app password for this application. */
export async function createPdsAccount(pds: string, handle: string): Promise<{ did: string; password: string }> {
  const wish = { handle, email: `${handle}@example.com`, password: 'the-users-own' }
  const made = await callXrpc<{ did: string; accessJwt: string }>(pds, 'server.createAccount', { body: wish })
  const { password } = await callXrpc<{ password: string }>(pds, 'server.createAppPassword', {
    token: made.accessJwt,
    body: { name: 'Reelsmith' },
  })
  return { did: made.did, password }
}
