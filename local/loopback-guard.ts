// Restricts the services of the local run to programs of this machine and to pages that it serves itself. Pages of other sites also run in a
// browser on this machine: the Origin header identifies them, and the Host header detects DNS rebinding to 127.0.0.1.

import type { IncomingMessage, RequestListener } from 'node:http'

interface RequestHeaders {
  readonly headers: Readonly<Pick<IncomingMessage['headers'], 'host' | 'origin'>>
}

const ownNames = new Set(['127.0.0.1', 'localhost', '[::1]'])
const isOwn = (origin: string) => ownNames.has(URL.parse(origin)?.hostname ?? '')

/** Whether the Host is loopback and the Origin is absent (programs) or loopback. */
export const isLoopbackCaller = ({ headers: { host, origin } }: RequestHeaders): boolean =>
  isOwn(`http://${host}`) && (origin === undefined || isOwn(origin))

/** Wraps a listener: requests of other origins are rejected with 403 before anything is read. */
export const withLoopbackGuard =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    if (isLoopbackCaller(request)) return listener(request, response)
    response.writeHead(403, { 'content-type': 'text/plain', connection: 'close' })
    response.end('Forbidden: cross-origin or non-loopback request.\n')
  }
