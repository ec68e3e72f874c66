// Tells clients apart by what they cannot invent: a key counts as a client of its own once a request with it has succeeded.

import type { IncomingMessage } from 'node:http'
import type { GatewayReply } from './gateway.ts'
import { requestTarget } from './http-event.ts'

/** All requests whose key has not proved valid are of this client, however many keys they name. */
export const unknownClient = 'unknown'

export interface Clients {
  /** The client of a request. */
  readonly of: (request: IncomingMessage) => string
  /** Learns from a reply whether the key of its request is valid. */
  readonly learn: (request: IncomingMessage, reply: GatewayReply) => void
}

/** Remembers the `max` clients that succeeded last; a forgotten one is known again after its next request. */
export function knownClients(max = 1_000): Clients {
  const known = new Set<string>()
  return {
    of: (request) => {
      const client = credentialsOf(request)
      return client !== undefined && known.has(client) ? client : unknownClient
    },
    learn: (request, { isAuthenticated, status }) => {
      const client = credentialsOf(request)
      if (client === undefined || !(isAuthenticated || status === 401)) return
      // Insertion order is that of the last success.
      known.delete(client)
      if (isAuthenticated) known.add(client)
      for (const oldest of known) if (known.size > max) known.delete(oldest)
    },
  }
}

/**
 * The key, of the header or else of the URL, and for the key of an organization the workspace that it acts for, which is sent beside the
 * key. What the service ignores is not part of it.
 */
function credentialsOf(request: IncomingMessage): string | undefined {
  const { authorization, 'x-service-workspace': inHeader } = request.headers
  const query = new URLSearchParams(requestTarget(request).rawQueryString)
  const isInUrl = authorization === undefined
  const key = isInUrl ? query.get('key') : /^bearer +(\S+)$/i.exec(authorization)?.[1]
  const workspace = inHeader ?? (isInUrl ? query.get('workspaceId') : undefined) ?? ''
  return key ? `${key} ${workspace}` : undefined
}
