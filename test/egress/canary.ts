/**
 * A canary on loopback that represents every private address, and a dialler that connects to it for any address that
 * is not public.
 */
import { once } from 'node:events'
import { createServer, connect as dial, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { addressKind } from '../../lib/egress/address-policy.ts'
import type { EgressDeps } from '../../lib/egress/request.ts'
import { portOf } from './scripted-receiver.ts'

/** Listens on loopback and counts every connection as a hit, with or without data. */
export async function startCanary(answer = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n') {
  const canary = { port: 0, url: '', hits: 0, bytes: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    canary.hits++
    sockets.add(socket)
    socket
      .on('error', () => {})
      .on('data', (data) => {
        canary.bytes += data.length
        socket.write(answer)
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return Object.assign(canary, { port: portOf(server), url: `http://127.0.0.1:${portOf(server)}/` })
}

/** A connection to an address that is not public ends at the canary; one to a public address is refused. */
export function dialsCanary(port: number, answers: () => string[]) {
  const dialled: string[][] = []
  const doors: EgressDeps = {
    resolve: async () => answers(),
    connect: ({ addresses }) => {
      dialled.push(addresses)
      if (addresses.every((address) => addressKind(address) === 'public')) return new Socket()
      return dial({ host: '127.0.0.1', port })
    },
  }
  return { doors, dialled }
}
