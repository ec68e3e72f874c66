// Requests with large bodies have a thread of their own: while a body of 4 MB is parsed and checked, nothing else runs in its thread. In AWS
// every request has a machine of its own.

import { Worker } from 'node:worker_threads'
import { type Gateway, type GatewayReply, refusal } from './emulators/api-gateway/gateway.ts'
import type { ReceivedRequest } from './emulators/api-gateway/http-event.ts'
import type { Log } from './log.ts'

export interface LargeRequest {
  readonly id: number
  readonly request: ReceivedRequest
  /** Transferred. */
  readonly body: Uint8Array<ArrayBuffer>
}

export type ThreadMessage =
  | { readonly id: number; readonly reply: GatewayReply }
  | { readonly log: string; readonly error: unknown }

export interface LargeRequests {
  readonly handle: Gateway
  readonly stop: () => Promise<void>
}

/** The thread starts with the first request, in the environment that this process then has. */
export function startLargeRequests(log: Log): LargeRequests {
  const waiting = new Map<number, (reply: GatewayReply) => void>()
  let [thread, ids]: [Worker | undefined, number] = [undefined, 0]

  const start = (): Worker => {
    const started = new Worker(new URL('large-requests-thread.ts', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    started.on('message', (message: ThreadMessage) => {
      if ('log' in message) return log(message.log, message.error)
      waiting.get(message.id)?.(message.reply)
      waiting.delete(message.id)
    })
    started.on('error', (error) => log('the thread for large requests failed', error))
    started.on('exit', () => {
      thread = undefined
      for (const resolve of waiting.values()) resolve(refusal(500, 'Internal Server Error'))
      waiting.clear()
    })
    return started
  }

  return {
    handle: (request, body) => {
      const { promise, resolve } = Promise.withResolvers<GatewayReply>()
      const id = ++ids
      waiting.set(id, resolve)
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
