// Who may speak to the services of the local run: programs of this machine, and pages that it serves itself. A page of anybody else runs in a
// browser on this machine, too; the browser says where it comes from, and its name may lead to 127.0.0.1 meanwhile (DNS rebinding).

import type { IncomingMessage, RequestListener } from 'node:http'

interface RequestHeaders {
  readonly headers: Readonly<Pick<IncomingMessage['headers'], 'host' | 'origin'>>
}

const ownNames = new Set(['127.0.0.1', 'localhost', '[::1]'])
const isOwn = (origin: string) => ownNames.has(URL.parse(origin)?.hostname ?? '')

/** Whether this machine was asked under its own name, and by no page of another: programs name no origin. */
export const isLoopbackCaller = ({ headers: { host, origin } }: RequestHeaders): boolean =>
  isOwn(`http://${host}`) && (origin === undefined || isOwn(origin))

/** The listener for own callers; anybody else is refused before anything is read. */
export const withLoopbackGuard =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    if (isLoopbackCaller(request)) return listener(request, response)
    response.writeHead(403, { 'content-type': 'text/plain', connection: 'close' })
    response.end('This is for programs of this machine.\n')
  }
