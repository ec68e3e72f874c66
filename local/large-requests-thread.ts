/** The thread of `large-requests.ts`. */

import { constants, platform, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { basePath } from '../lib/contract/route.ts'
import { createGateway } from './emulators/api-gateway/gateway.ts'
import { handlerOnUse, loadMcp, routesOnUse } from './handlers.ts'
import type { LargeRequest, ThreadMessage } from './large-requests.ts'

// Linux sets the priority of the calling thread, other systems that of the process.
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const send = (message: ThreadMessage, transferred: ArrayBuffer[] = []) => parentPort!.postMessage(message, transferred)
const gateway = createGateway({
  basePath,
  routes: [...routesOnUse(), await loadMcp()],
  fallback: handlerOnUse('api/not-found'),
  log: (log, error) => send({ log, error }),
})

parentPort!.on('message', async ({ id, request, body }: LargeRequest) => {
  send({ id, reply: await gateway(request, body) })
})
