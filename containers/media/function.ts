/**
 * Entry point of the media container as a Lambda function: a loop over the runtime API
 * (https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html). An event names a command as a task gets it, and when
 * its execution started. Whatever fails here, the state machine gives to a task.
 */
import { readdir, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import * as v from 'valibot'
import { env } from '../../lib/env.ts'
import { assertHidden } from './assert-hidden.ts'
import { isCommand, runCommand, scratchPrefix } from './commands.ts'

const eventSchema = v.object({
  command: v.pipe(
    v.array(v.string()),
    v.check((command) => isCommand(command), 'is no command of the container'),
  ),
  /** Only of commands that may wait for a vendor. */
  startedAt: v.optional(v.string()),
})

/** Left of the time limit: for what observes the abort, and for the error of what does not. */
const abortMs = 10_000
const giveUpMs = 2_000
/** An invocation polls an order no longer than this: the state machine waits for less. */
const orderWaitMs = 5_000
/** After this time since the start of its execution, an order is a failure: the task polls it a last time. */
const pendingMsMax = 10 * 60_000

class InvocationFailure extends Error {
  constructor(errorType: string, message: string) {
    super(message)
    this.name = errorType
  }
}

async function handle(event: unknown, deadline: number): Promise<{ outcome: 'done' | 'pending'; result?: unknown }> {
  const { command, startedAt } = v.parse(eventSchema, event)
  // Of an invocation that crashed in this sandbox.
  const scratch = (await readdir(tmpdir())).filter((name) => name.startsWith(scratchPrefix))
  for (const name of scratch) await rm(join(tmpdir(), name), { recursive: true, force: true })
  const signal = AbortSignal.timeout(Math.max(deadline - abortMs - Date.now(), 0))
  const { outcome, ...found } = await runCommand(command, { signal, orderWaitMs })
  if (outcome === 'done') return { outcome, ...found }
  if (signal.aborted) throw new InvocationFailure('DeadlineReached', 'The work did not fit the time limit.')
  const isPatient = startedAt !== undefined && Date.now() - Date.parse(startedAt) < pendingMsMax
  if (outcome === 'pending' && isPatient) return { outcome }
  throw outcome === 'failed'
    ? new InvocationFailure('TryAgain', 'The command failed; its log says why.')
    : new InvocationFailure('ProviderBusy', 'A vendor is busy, or still processes an order.')
}

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

async function serveInvocation(): Promise<void> {
  const next = await call('GET', '/invocation/next')
  const path = `/invocation/${next.headers['lambda-runtime-aws-request-id']}`
  const deadline = Number(next.headers['lambda-runtime-deadline-ms'])
  // For work that does not observe the abort. The sandbox starts again after the exit.
  const giveUp = setTimeout(
    async () => {
      await reportError(`${path}/error`, new InvocationFailure('DeadlineReached', 'The work could not be aborted.'))
      process.exit(1)
    },
    Math.max(deadline - giveUpMs - Date.now(), 0),
  )
  try {
    const result = await handle(await json(next), deadline)
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
