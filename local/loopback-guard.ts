// Restricts the services of the local run to programs of this machine and to pages that the service itself serves. Pages of other sites also
// run in a browser on this machine: the Origin header identifies them, and the Host header detects DNS rebinding to 127.0.0.1.

import type { IncomingMessage, RequestListener } from 'node:http'
import { EMULATOR_CREDENTIALS } from './aws-client-config.ts'

interface RequestHeaders {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

const ownNames = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Whether the Host is loopback, and the request is of a program, of a page of this very host and port, or of a user who follows a link. */
export const isLoopbackCaller = (request: RequestHeaders): boolean => {
  const { host, origin } = request.headers
  if (!ownNames.has(URL.parse(`http://${host}`)?.hostname ?? '')) return false
  return (origin === undefined || origin === `http://${host}`) && isFetchedByOwnPage(request)
}

/** Browsers send no Origin with the GET of an image or a script, but these headers: https://w3c.github.io/webappsec-fetch-metadata/ */
function isFetchedByOwnPage({ method = 'GET', headers }: RequestHeaders): boolean {
  const { 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers
  const isLink = method === 'GET' && mode === 'navigate' && destination === 'document'
  return site === 'none' || site === 'same-origin' || isLink
}

/**
 * Whether the request names the access key of this run. The key is as random as a password, so the signature is not verified: S3, whose
 * key stands in presigned URLs, verifies it.
 */
export const isSignedByThisRun = ({ headers: { authorization } }: RequestHeaders): boolean =>
  String(authorization ?? '').includes(`Credential=${EMULATOR_CREDENTIALS.accessKeyId}/`)

/** Wraps a listener: requests of other origins are rejected with 403 before anything is read. */
export const withLoopbackGuard = (listener: RequestListener): RequestListener => guard(isLoopbackCaller, listener)

/** The same for an emulator of an AWS service: only clients of this run. */
export const withClientGuard = (listener: RequestListener): RequestListener =>
  guard((request) => isLoopbackCaller(request) && isSignedByThisRun(request), listener)

export const FORBIDDEN = 'Forbidden: not a client of this local run.\n'

const guard =
  (isAllowed: (request: IncomingMessage) => boolean, listener: RequestListener): RequestListener =>
  (request, response) => {
    if (isAllowed(request)) return listener(request, response)
    response.writeHead(403, { 'content-type': 'text/plain', connection: 'close' })
    response.end(FORBIDDEN)
  }
