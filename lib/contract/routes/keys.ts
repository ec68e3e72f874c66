/** Routes: API keys, also those of MCP connections. Each takes a key with the scope `admin`. */

import { listOf } from '../../domain/core/bounded.ts'
import { createKeyRequest, listKeysQuery } from '../requests/keys.ts'
import { apiKey, newApiKey } from '../resources/keys.ts'
import { route } from '../route.ts'
import { pageLimitMax } from '../schemas.ts'

export const listKeys = route({
  signature: 'GET /keys',
  handler: 'keys/list',
  summary: 'List API keys, newest first',
  description:
    'Also those of MCP connections, and revoked ones for 90 days. The keys themselves are not stored, so they are not shown.',
  query: listKeysQuery,
  paged: true,
  scope: 'admin',
  returns: listOf(apiKey, pageLimitMax),
})

export const createKey = route({
  signature: 'POST /keys',
  handler: 'keys/create',
  summary: 'Create an API key; only this response contains it',
  description:
    'A key with the scope `standard` takes every route but those of keys; `admin` takes these, too. A workspace has at most 25 keys that are ' +
    'not revoked. Within 24 hours a repeat with the same `Idempotency-Key` shows the key again; its stored response is encrypted.',
  status: 201,
  idempotent: true,
  scope: 'admin',
  body: createKeyRequest,
  bodyExample: { name: "Claude on Ada's laptop" },
  returns: newApiKey,
  permissions: ['write', 'sealKeys'],
  refuses: ['limit-reached', 'conflict'],
})

export const revokeKey = route({
  signature: 'DELETE /keys/{id}',
  handler: 'keys/revoke',
  summary: 'Revoke an API key; the next request with it is refused',
  description:
    'Cannot be undone; a repeat changes nothing. The key of the request is refused with `conflict`: another key revokes it.',
  scope: 'admin',
  returns: apiKey,
  permissions: ['write'],
  refuses: ['conflict'],
})
