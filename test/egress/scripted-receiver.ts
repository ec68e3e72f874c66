/** Receivers on loopback that do what a script says, and wires that lead to them whatever is dialled. */
import { once } from 'node:events'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'
import type { EgressPolicy } from '../../lib/egress/address-policy.ts'
import type { Dial, DialTarget } from '../../lib/egress/connection.ts'
import { type EgressRequest, sendRequest } from '../../lib/egress/request.ts'

export const strictPolicy: EgressPolicy = { allowHttp: false, allowLoopback: false }
export const permissivePolicy: EgressPolicy = { allowHttp: true, allowLoopback: true }
/** What the hostile tables are tried with: only the rules on addresses stand between them and the canary. */
export const httpOnlyPolicy: EgressPolicy = { allowHttp: true, allowLoopback: false }

/** What a receiver has seen. */
export interface ScriptedReceiver {
  port: number
  url: string
  connections: number
  /** All bytes that came out of the connections, decrypted if it speaks TLS. */
  received: string
  /** Settles when a connection has ended. */
  ended: Promise<void>
}

/** Listens on 127.0.0.1 until the test ends; each time that the end of a request's head arrives, the script answers. */
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
    // A handshake that fails is an error of the connection below it, too.
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

/** The script of a receiver that writes its answer at once and leaves the connection open. */
export const respondWith = (text: string) => (socket: Socket) => void socket.write(text)
export const ok = respondWith('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')

/** Writes a piece every few milliseconds, for as long as somebody listens. */
export const drips =
  (piece: string, first = '') =>
  (socket: Socket) => {
    socket.write(first)
    const timer = setInterval(() => socket.write(piece), 10)
    socket.on('close', () => clearInterval(timer))
  }

/** Whatever the name, these are its addresses; whatever the address, this is where the connection leads. */
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

/** The failure of a request that must fail. */
export async function rejectionOf(...arguments_: Parameters<typeof sendRequest>): Promise<unknown> {
  try {
    return new Error(`It was answered with ${(await sendRequest(...arguments_)).status}.`)
  } catch (error) {
    return error
  }
}
