/** The other side of the deliveries, in a thread of its own: receivers that answer as their path says, and hostile ones. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'
import { type HostileReceiver, hostileKinds, startHostileReceiver } from '../../test/egress/hostile-receivers.ts'

/** What is asked of it; each is answered with one message. */
export type ReceiverQuery =
  | { ask: 'address' }
  | { ask: 'arrivals' }
  | { ask: 'hostile'; count: number }
  | { ask: 'held' }

/** The first post of a delivery. Times are milliseconds since 1970. */
export interface Arrival {
  workspaceId: string
  deliveryId: string
  eventAt: number
  arrivedAt: number
}

/** How long hostile receivers could hold their connections; `open` are held still. */
export interface ReceiverConnections {
  openMs: number[]
  open: number
}

/** `/ok/…` acknowledges at once, `/late/…` just in time, `/hang/…` never. */
const lateMs = 7_500

const arrivals = new Map<string, Arrival>()
let hostile: HostileReceiver[] = []

function noteArrival(request: IncomingMessage, body: Buffer): void {
  const deliveryId = String(request.headers['x-service-delivery'])
  if (arrivals.has(deliveryId)) return
  const { workspaceId, createdAt } = JSON.parse(body.toString()) as { workspaceId: string; createdAt: string }
  arrivals.set(deliveryId, { workspaceId, deliveryId, eventAt: Date.parse(createdAt), arrivedAt: Date.now() })
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  noteArrival(request, Buffer.concat(chunks))
  if (request.url!.startsWith('/hang/')) return
  if (request.url!.startsWith('/late/')) setTimeout(() => response.end(), lateMs)
  else response.end()
}

const server = createServer((request, response) => {
  // Whoever hangs up while it is waited for is not a fault of ours.
  receive(request, response).catch(() => response.destroy())
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')

async function answer(question: ReceiverQuery): Promise<unknown> {
  if (question.ask === 'address') return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  if (question.ask === 'arrivals') {
    const seen = [...arrivals.values()]
    return seen
  }
  if (question.ask === 'held') {
    return {
      openMs: hostile.flatMap(({ openMs }) => openMs),
      open: hostile.reduce((sum, { open }) => sum + open, 0),
    } satisfies ReceiverConnections
  }
  const kinds = Array.from({ length: question.count }, (_, index) => hostileKinds[index % hostileKinds.length]!)
  hostile = await Promise.all(kinds.map(startHostileReceiver))
  return hostile.map(({ url }) => url)
}

parentPort!.on('message', async (question: ReceiverQuery) => parentPort!.postMessage(await answer(question)))
