/** Scripted receivers on loopback, and diallers that connect to them for any address. */
import { once } from 'node:events'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'
import type { EgressPolicy } from '../../lib/egress/address-policy.ts'
import type { Dial, DialTarget } from '../../lib/egress/connection.ts'
import { type EgressRequest, sendRequest } from '../../lib/egress/request.ts'

export const strictPolicy: EgressPolicy = { allowHttp: false, allowLoopback: false }
export const permissivePolicy: EgressPolicy = { allowHttp: true, allowLoopback: true }
/** The policy for the hostile tables: only the address rules protect the canary. */
export const httpOnlyPolicy: EgressPolicy = { allowHttp: true, allowLoopback: false }

/** What a receiver has received. */
export interface ScriptedReceiver {
  port: number
  url: string
  connections: number
  /** All bytes of its connections, decrypted if it speaks TLS. */
  received: string
  /** Resolves when a connection has ended. */
  ended: Promise<void>
}

/** Listens on 127.0.0.1 until the test ends; the script responds at the end of each request's head. */
export async function startScriptedReceiver(
  script: (socket: Socket) => void,
  tls?: TlsOptions,
): Promise<ScriptedReceiver> {
  const ended = Promise.withResolvers<void>()
  const seen = { port: 0, url: '', connections: 0, received: '', ended: ended.promise }
  const sockets = new Set<Socket>()
  const talk = (socket: Socket) => {
    socket.on('error', () => {}).on('close', () => ended.resolve())
    socket.on('data', (bytes) => {
      seen.received += bytes
      if (seen.received.endsWith('\r\n\r\n')) script(socket)
    })
  }
  const server = tls ? createTlsServer(tls, talk) : createServer(talk)
  server.on('tlsClientError', () => {})
  server.on('connection', (socket: Socket) => {
    seen.connections++
    sockets.add(socket)
    // A failed handshake is also an error of the underlying connection.
    socket.on('error', () => {}).on('close', () => ended.resolve())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  seen.port = portOf(server)
  seen.url = `${tls ? 'https' : 'http'}://127.0.0.1:${seen.port}/`
  return seen
}

export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.')
  return address.port
}

/** A script that writes the response immediately and leaves the connection open. */
export const respondWith = (text: string) => (socket: Socket) => void socket.write(text)
export const ok = respondWith('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')

/** Writes a chunk every few milliseconds while the connection is open. */
export const drips =
  (piece: string, first = '') =>
  (socket: Socket) => {
    socket.write(first)
    const timer = setInterval(() => socket.write(piece), 10)
    socket.on('close', () => clearInterval(timer))
  }

/** Resolves every name to these addresses, and connects every address to this port. */
export function dialsReceiver(port: number, ...addresses: string[]) {
  const dialled: DialTarget[] = []
  const connect: Dial = (target) => {
    dialled.push(target)
    return dial({ host: '127.0.0.1', port })
  }
  return { resolve: async () => addresses, connect, dialled }
}

export const getRequest = (url: string, more: Partial<EgressRequest> = {}): EgressRequest => ({
  url,
  method: 'GET',
  headers: {},
  deadlineMs: 5_000,
  bytesMax: 1_000,
  ...more,
})

/** The error of a request that must fail. */
export async function rejectionOf(...arguments_: Parameters<typeof sendRequest>): Promise<unknown> {
  try {
    return new Error(`It was answered with ${(await sendRequest(...arguments_)).status}.`)
  } catch (error) {
    return error
  }
}
