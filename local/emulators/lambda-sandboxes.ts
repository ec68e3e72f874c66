// Runs a Lambda function of a container image as child processes, which speak the runtime API
// (https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html). A sandbox serves one invocation at a time; an idle one is used again.

import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { startChild } from '../processes.ts'
import { namedError } from './named-error.ts'

export interface SandboxOptions {
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Receives each line that the function prints. */
  readonly onLine?: (line: string) => void
  /** Contains a TMPDIR for each sandbox. */
  readonly directory: string
  readonly timeoutMs: number
  /** What happens to an invocation instead of its work, in tests. */
  readonly faultOf?: (event: unknown) => Fault | undefined
}

/** `killed`: at its time limit. `vanished`: its process exits. `memory`: the kernel kills it. `throttled` and `service` never start. */
export type Fault = 'throttled' | 'service' | 'killed' | 'vanished' | 'memory'

export interface Sandboxes {
  /** The response of the function. Rejects with the error names of Step Functions. */
  readonly invoke: (event: unknown) => Promise<unknown>
  /** Kills all sandboxes and what they run; open invocations are rejected. */
  readonly stop: () => Promise<void>
}

/** More of them would keep the memory of a program that was used once. */
const idleMax = 1
const idleMs = 20_000
/** From the start of a fault's invocation: its work has begun. */
const faultMs = 300

interface Invocation {
  readonly id: string
  readonly event: unknown
  readonly deadline: number
  readonly resolve: (response: unknown) => void
  readonly reject: (error: Error) => void
}

interface Sandbox {
  /** The environment that it was started with: a changed one needs a new sandbox, as after a deployment. */
  readonly environment: string
  readonly run: (event: unknown) => Promise<unknown>
  readonly stop: () => Promise<void>
}

export function startSandboxes(options: SandboxOptions): Sandboxes {
  const { directory, faultOf = () => undefined } = options
  // Those of a service that was killed.
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  const all = new Set<Sandbox>()
  const idle: { sandbox: Sandbox; timer: NodeJS.Timeout }[] = []
  const end = async (sandbox: Sandbox): Promise<void> => {
    all.delete(sandbox)
    await sandbox.stop()
  }
  const take = async (): Promise<Sandbox> => {
    const waiting = idle.pop()
    clearTimeout(waiting?.timer)
    if (waiting?.sandbox.environment === environmentNow()) return waiting.sandbox
    if (waiting) void end(waiting.sandbox)
    const sandbox = await startSandbox(options)
    all.add(sandbox)
    return sandbox
  }
  const keep = (sandbox: Sandbox): Promise<void> | undefined => {
    if (idle.length >= idleMax || !all.has(sandbox)) return end(sandbox)
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((one) => one.sandbox === sandbox),
        1,
      )
      void end(sandbox)
    }, idleMs)
    timer.unref()
    idle.push({ sandbox, timer })
  }
  return {
    invoke: async (event) => {
      const fault = faultOf(event)
      if (fault === 'throttled') throw namedError('Lambda.TooManyRequestsException', 'Rate Exceeded.')
      if (fault === 'service') throw namedError('Lambda.ServiceException', 'The service is unavailable.')
      const sandbox = await take()
      const faulted = fault && setTimeout(() => void end(sandbox), faultMs)
      try {
        const response = await sandbox.run(event)
        if (!fault) await keep(sandbox)
        return response
      } catch (error) {
        // A failed function keeps its sandbox in AWS. Here it may hold half of its work.
        await end(sandbox)
        throw fault ? faultErrors[fault] : error
      } finally {
        clearTimeout(faulted)
      }
    },
    stop: async () => {
      for (const { timer } of idle.splice(0)) clearTimeout(timer)
      await Promise.all([...all].map(end))
    },
  }
}

const faultErrors = {
  killed: namedError('Sandbox.Timedout', 'Task timed out.'),
  vanished: namedError('Runtime.ExitError', 'Runtime exited without providing a reason.'),
  memory: namedError('Runtime.OutOfMemory', 'Runtime exited with error: signal: killed.'),
}

const environmentNow = () => JSON.stringify(process.env)

/** Resolves once its runtime API listens; the function starts meanwhile. */
async function startSandbox({ command, env, onLine, directory, timeoutMs }: SandboxOptions): Promise<Sandbox> {
  const scratch = mkdtempSync(join(directory, 'sandbox-'))
  /** The invocation that the function has not fetched yet, or works on. */
  let invocation: Invocation | undefined
  let isFetched = false
  let waiting: ServerResponse | undefined
  const hand = (): void => {
    if (!waiting || !invocation || isFetched) return
    isFetched = true
    const headers = {
      'Content-Type': 'application/json',
      'Lambda-Runtime-Aws-Request-Id': invocation.id,
      'Lambda-Runtime-Deadline-Ms': String(invocation.deadline),
      'Lambda-Runtime-Trace-Id': 'Root=1-0-0;Sampled=0',
      'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:us-east-1:000000000000:function:media',
    }
    waiting.writeHead(200, headers).end(JSON.stringify(invocation.event))
    waiting = undefined
  }
  const server = await listen(async (request, response) => {
    const [, id, kind] = /^\/2018-06-01\/runtime\/(?:invocation\/)?([\w-]+)(?:\/(\w+))?$/.exec(request.url ?? '') ?? []
    if (request.method === 'GET' && id === 'next') {
      waiting = response
      return hand()
    }
    const body = await json(request)
    if (kind === 'response' && id === invocation?.id) invocation?.resolve(body)
    if (kind === 'error' && (id === invocation?.id || id === 'init')) invocation?.reject(functionError(body))
    response.writeHead(202).end('{"status":"OK"}')
  })
  const child = startChild(command, {
    env: { ...env, TMPDIR: scratch, AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${(server.address() as AddressInfo).port}` },
    ...(onLine && { onLine }),
    isBackground: true,
  })
  void child.exited.then(({ code, signal }) => {
    const how = signal ? `signal: ${signal}` : `exit status ${code}`
    invocation?.reject(namedError('Runtime.ExitError', `Runtime exited with error: ${how}.`))
  })
  return {
    environment: environmentNow(),
    run: async (event) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      isFetched = false
      invocation = { id: randomUUID(), event, deadline: Date.now() + timeoutMs, resolve, reject }
      const timeout = setTimeout(() => reject(namedError('Sandbox.Timedout', 'Task timed out.')), timeoutMs)
      hand()
      return promise.finally(() => {
        clearTimeout(timeout)
        invocation = undefined
      })
    },
    stop: async () => {
      // Lambda ends a sandbox without notice.
      await child.stop(0)
      server.closeAllConnections()
      server.close()
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}

function functionError(body: unknown): Error {
  const { errorType = 'Error', errorMessage = '' } = body as { errorType?: string; errorMessage?: string }
  return namedError(errorType, errorMessage)
}

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<Server> {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  // The function waits for its next invocation as long as it takes.
  server.requestTimeout = 0
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return server
}
