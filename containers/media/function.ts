/**
 * Entry point of the media container as a Lambda function: a loop over the runtime API
 * (https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html). An event names a command as a task gets it, and the
 * time limits of its state.
 */
import { readdir, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { env } from '../../lib/env.ts'
import { assertHidden } from './assert-hidden.ts'
import { scratchPrefix } from './commands.ts'
import { InvocationFailure, parseInvocation, runInvocation } from './invocation.ts'

/** Left of the time limit for the error of what does not observe the abort. */
const giveUpMs = 2_000

const api = `http://${env.lambdaRuntimeApi()}/2018-06-01/runtime`

/** Without time limits, which `fetch` has: the process is frozen while it waits for an invocation. */
const call = (method: 'GET' | 'POST', path: string, body?: unknown, headers = {}): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request(`${api}${path}`, { method, headers }, resolve)
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body))
  })

async function post(path: string, body: unknown, headers = {}): Promise<void> {
  await text(await call('POST', path, body, headers))
}

const reportError = (path: string, { name, message }: Error) =>
  post(path, { errorType: name, errorMessage: message }, { 'Lambda-Runtime-Function-Error-Type': name })

/** Of an invocation that crashed in this sandbox. */
async function removeScratch(): Promise<void> {
  const scratch = (await readdir(tmpdir())).filter((name) => name.startsWith(scratchPrefix))
  for (const name of scratch) await rm(join(tmpdir(), name), { recursive: true, force: true })
}

async function serveInvocation(): Promise<void> {
  const next = await call('GET', '/invocation/next')
  const path = `/invocation/${next.headers['lambda-runtime-aws-request-id']}`
  let giveUp: NodeJS.Timeout | undefined
  try {
    const invocation = parseInvocation(await json(next), Number(next.headers['lambda-runtime-deadline-ms']))
    // For work that does not observe the abort. The sandbox starts again after the exit.
    giveUp = setTimeout(
      async () => {
        await reportError(`${path}/error`, new InvocationFailure('DeadlineReached', 'The work could not be aborted.'))
        process.exit(1)
      },
      Math.max(invocation.endsAt - giveUpMs - Date.now(), 0),
    )
    await removeScratch()
    const result = await runInvocation(invocation)
    await post(`${path}/response`, result)
  } catch (error) {
    await reportError(`${path}/error`, error as Error)
  } finally {
    clearTimeout(giveUp)
  }
}

try {
  assertHidden()
} catch (error) {
  await reportError('/init/error', error as Error)
  throw error
}
for (;;) await serveInvocation()
