/** Answers requests with large bodies, in the thread of `large-requests-thread.ts`. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { parentPort } from 'node:worker_threads'
import { basePath } from '../lib/contract/route.ts'
import { createGateway } from './emulators/api-gateway/gateway.ts'
import { handlerOnUse, mcpOnUse, routesOnUse } from './handlers.ts'
import type { CommandTurn, LargeRequest, ThreadMessage } from './large-requests.ts'
import { setAroundCommand } from './role-enforcement.ts'

const send = (message: ThreadMessage, transferred: ArrayBuffer[] = []) => parentPort!.postMessage(message, transferred)
const gateway = createGateway({
  basePath,
  routes: [...routesOnUse(), mcpOnUse()],
  fallback: handlerOnUse('api/not-found'),
  log: (log, error) => send({ log, error }),
})

const currentRequest = new AsyncLocalStorage<number>()
const turns = new Map<number, () => void>()
let commands = 0

// The emulators answer in the thread that all clients share: it says when.
setAroundCommand(async (sendCommand) => {
  const id = currentRequest.getStore()
  if (id === undefined) return sendCommand()
  const { promise: turn, resolve } = Promise.withResolvers<void>()
  const command = ++commands
  turns.set(command, resolve)
  send({ id, command })
  await turn
  try {
    return await sendCommand()
  } finally {
    send({ answered: command })
  }
})

parentPort!.on('message', async (message: LargeRequest | CommandTurn) => {
  if ('command' in message) {
    turns.get(message.command)?.()
    turns.delete(message.command)
    return
  }
  const { id, request, body } = message
  send({ id, reply: await currentRequest.run(id, () => gateway(request, body)) })
})
