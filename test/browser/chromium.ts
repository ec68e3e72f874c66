/** Servers for pages, and a headless Chromium that opens them. Without BROWSER=1 and a Chromium on PATH, tests are skipped. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { chromiumMissing, chromiumPath } from '../support/chromium-path.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

export const browser = process.env.BROWSER && chromiumPath
const reason = process.env.BROWSER ? chromiumMissing : 'npm run test:browser runs it'
/** The end of the title of a test: why it is skipped. */
export const skipped = browser ? '' : ` (${reason})`

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/** The port of a server that stops with the test. */
export async function serve(answer: Answer): Promise<number> {
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Opens a page until the test ends, with further flags of the browser. Rejects if the browser exits before; never resolves. */
export function openPage(url: string, more: string[] = []): Promise<never> {
  const flags = [
    '--headless',
    '--disable-gpu',
    '--no-first-run',
    `--user-data-dir=${temporaryDirectory()}`,
    '--host-resolver-rules=MAP *.example 127.0.0.1',
    // Chromium refuses its own sandbox to root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ...more,
  ]
  const child = spawn(browser as string, [...flags, url], { stdio: 'ignore' })
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  })
  return new Promise((_, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The browser exited with ${code}.`)))
  })
}
