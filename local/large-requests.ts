// Requests with large bodies have a thread of their own: while a body of 4 MB is parsed and checked, nothing else runs in its thread. In AWS
// every request has a machine of its own.

import { AsyncLocalStorage } from 'node:async_hooks'
import { Worker } from 'node:worker_threads'
import { type Gateway, type GatewayReply, refusal } from './emulators/api-gateway/gateway.ts'
import type { ReceivedRequest } from './emulators/api-gateway/http-event.ts'
import type { Log } from './log.ts'
import type { AroundCommand } from './role-enforcement.ts'

export interface LargeRequest {
  readonly id: number
  readonly request: ReceivedRequest
  /** Transferred. */
  readonly body: Uint8Array<ArrayBuffer>
}

/** The thread may send the command. */
export interface CommandTurn {
  readonly command: number
}

export type ThreadMessage =
  | { readonly id: number; readonly reply: GatewayReply }
  /** A request waits to send a command. */
  | { readonly id: number; readonly command: number }
  | { readonly answered: number }
  | { readonly log: string; readonly error: unknown }

export interface LargeRequests {
  readonly handle: Gateway
  readonly stop: () => Promise<void>
}

interface PendingRequest {
  readonly answer: (reply: GatewayReply) => void
  /** Runs a function as a part of the request. */
  readonly within: ReturnType<typeof AsyncLocalStorage.snapshot>
}

/** Bodies at their limit leave hundreds of megabytes of garbage in the thread: it ends with its memory where no request follows. */
const IDLE_MS = 30_000

/**
 * The thread starts with the first request, in the environment that this process then has, and ends `idleMs` after the last one.
 * `aroundCommand` sends each of its commands, which the emulators answer in this thread, as a part of its request.
 */
export function startLargeRequests(
  log: Log,
  aroundCommand: AroundCommand = (send) => send(),
  idleMs = IDLE_MS,
): LargeRequests {
  const requests = new Map<number, PendingRequest>()
  const commands = new Map<number, () => void>()
  let [thread, ids]: [Worker | undefined, number] = [undefined, 0]
  let idle: NodeJS.Timeout | undefined

  const sendCommand = async (from: Worker, { id, command }: { id: number; command: number }): Promise<void> => {
    const { promise: answered, resolve } = Promise.withResolvers<void>()
    commands.set(command, resolve)
    const send = () =>
      aroundCommand(() => {
        from.postMessage({ command } satisfies CommandTurn)
        return answered
      })
    await (requests.get(id)?.within(send) ?? send())
  }

  const receive = (from: Worker, message: ThreadMessage): void => {
    if ('log' in message) log(message.log, message.error)
    else if ('command' in message) sendCommand(from, message)
    else if ('answered' in message) {
      commands.get(message.answered)?.()
      commands.delete(message.answered)
    } else {
      requests.get(message.id)?.answer(message.reply)
      requests.delete(message.id)
      if (requests.size === 0) idle = setTimeout(end, idleMs).unref()
    }
  }

  /** Ends a thread that has no requests; the next one starts another. */
  const end = (): void => {
    void thread?.terminate()
    thread = undefined
  }

  const start = (): Worker => {
    const started = new Worker(new URL('large-requests-thread.ts', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    started.on('message', (message: ThreadMessage) => receive(started, message))
    started.on('error', (error) => log('the thread for large requests failed', error))
    started.on('exit', () => {
      if (thread !== started) return
      thread = undefined
      for (const { answer } of requests.values()) answer(refusal(500, 'Internal Server Error'))
      for (const answered of commands.values()) answered()
      requests.clear()
      commands.clear()
    })
    return started
  }

  return {
    handle: (request, body) => {
      const { promise, resolve } = Promise.withResolvers<GatewayReply>()
      const id = ++ids
      clearTimeout(idle)
      requests.set(id, { answer: resolve, within: AsyncLocalStorage.snapshot() })
      thread ??= start()
      // A buffer of Node's pool cannot be transferred; large ones are not of the pool.
      thread.postMessage({ id, request, body } satisfies LargeRequest, [body.buffer])
      return promise
    },
    stop: async () => {
      await thread?.terminate()
    },
  }
}
