// Starts servers of the local run, on 127.0.0.1 only.

import type { Server } from 'node:http'

export interface RunningServer {
  readonly url: string
  stop(): Promise<void>
}

/** Memoizes a stop function: a second call waits for the first. */
export function runOnce(stop: () => Promise<void>): () => Promise<void> {
  let stopping: Promise<void> | undefined
  return () => {
    stopping ??= stop()
    return stopping
  }
}

/** Listens on 127.0.0.1:`port` (0 for any). `stop` waits up to `graceMs` for requests in flight, then closes their connections. */
export async function listen(server: Server, port: number, graceMs = 0): Promise<RunningServer> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server has an address with a port.')
  return { url: `http://127.0.0.1:${address.port}`, stop: runOnce(() => close(server, graceMs)) }
}

function close(server: Server, graceMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  // Node keeps connections alive after their last request, even while the server is closing.
  const hangUp = setInterval(() => server.closeIdleConnections(), 10)
  return promise.finally(() => {
    clearTimeout(cut)
    clearInterval(hangUp)
  })
}
