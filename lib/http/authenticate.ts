/**
 * Authentication: resolves an API key to its workspace. Every failure is the same 401, so that it reveals no cause, but for
 * the holder of a valid key of a suspended workspace.
 */

import { Refusal } from '../domain/core/refusal.ts'
import { hashApiKey, isWellFormedApiKey } from '../domain/workspaces/api-key.ts'
import { findApiKey } from '../store/api-keys.ts'
import { findWorkspace } from '../store/workspaces.ts'

export interface Caller {
  /** The workspace that the request acts on. */
  workspaceId: string
  keyId: string
}

const unauthorized = () =>
  new Refusal('unauthorized', 'Send a valid API key as "Authorization: Bearer <key>".', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })

const suspended = () =>
  new Refusal('unauthorized', 'The workspace of this API key is suspended. Contact the operator of this service.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })

/**
 * Reads the key with one strongly consistent read, after its checksum matches. `X-Service-Workspace` lets an organization's
 * key select one of its workspaces; any other value is a 401.
 */
export async function authenticate(headers: Record<string, string | undefined>): Promise<Caller> {
  const key = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (!key || !isWellFormedApiKey(key)) throw unauthorized()
  const found = await findApiKey(hashApiKey(key))
  if (!found || found.revokedAt) throw unauthorized()
  if (found.suspendedAt) throw suspended()
  const requestedId = headers['x-service-workspace']
  if (requestedId === undefined) return { workspaceId: found.workspaceId, keyId: found.id }
  const child = /^[A-Za-z0-9_]{1,64}$/.test(requestedId) ? await findWorkspace(requestedId) : undefined
  if (child?.organizationId !== found.workspaceId) throw unauthorized()
  if (child.suspendedAt) throw suspended()
  return { workspaceId: child.id, keyId: found.id }
}
