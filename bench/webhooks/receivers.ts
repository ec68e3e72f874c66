/**
 * The receivers of the deliveries, in a worker thread: their path selects the behaviour; malicious ones are opened on
 * request.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'
import { type HostileReceiver, hostileKinds, startHostileReceiver } from '../../test/egress/hostile-receivers.ts'

/** Messages to this thread; each one gets one reply. */
export type ReceiverQuery = { ask: 'urls' } | { ask: 'arrivals' } | { ask: 'hostile'; count: number } | { ask: 'held' }

/** The first request of a delivery. Times are milliseconds since 1970. */
export interface Arrival {
  workspaceId: string
  deliveryId: string
  eventAt: number
  arrivedAt: number
}

/** How long malicious receivers held their connections; `open` is the number of those still held. */
export interface ReceiverConnections {
  openMs: number[]
  open: number
}

/** `/ok/…` responds immediately, `/late/…` shortly before the timeout, `/hang/…` never. */
const lateMs = 7_500

const arrivals = new Map<string, Arrival>()
let hostile: HostileReceiver[] = []

function recordArrival(request: IncomingMessage, body: Buffer): void {
  const deliveryId = String(request.headers['x-service-delivery'])
  if (arrivals.has(deliveryId)) return
  const { workspaceId, createdAt } = JSON.parse(body.toString()) as { workspaceId: string; createdAt: string }
  arrivals.set(deliveryId, { workspaceId, deliveryId, eventAt: Date.parse(createdAt), arrivedAt: Date.now() })
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  recordArrival(request, Buffer.concat(chunks))
  if (request.url!.startsWith('/hang/')) return
  if (request.url!.startsWith('/late/')) setTimeout(() => response.end(), lateMs)
  else response.end()
}

/** Attempts are limited by host: each of these loopback addresses is one. Only Linux has more than 127.0.0.1. */
const hosts = Array.from({ length: process.platform === 'linux' ? 25 : 1 }, (_, index) => `127.0.0.${index + 1}`)

async function listen(host: string): Promise<string> {
  const server = createServer((request, response) => {
    // The client may close the connection before the response.
    receive(request, response).catch(() => response.destroy())
  })
  server.listen(0, host)
  await once(server, 'listening')
  return `http://${host}:${(server.address() as AddressInfo).port}`
}
const urls = await Promise.all(hosts.map(listen))

async function reply(query: ReceiverQuery): Promise<unknown> {
  if (query.ask === 'urls') return urls
  if (query.ask === 'arrivals') {
    return [...arrivals.values()]
  }
  if (query.ask === 'held') {
    return {
      openMs: hostile.flatMap(({ openMs }) => openMs),
      open: hostile.reduce((sum, { open }) => sum + open, 0),
    } satisfies ReceiverConnections
  }
  const kinds = Array.from({ length: query.count }, (_, index) => hostileKinds[index % hostileKinds.length]!)
  hostile = await Promise.all(kinds.map((kind, index) => startHostileReceiver(kind, hosts[index % hosts.length])))
  return hostile.map(({ url }) => url)
}

parentPort!.on('message', async (query: ReceiverQuery) => parentPort!.postMessage(await reply(query)))
