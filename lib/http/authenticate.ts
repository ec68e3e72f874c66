/** Who calls: the workspace that a key stands for. Every failure gives the same 401, whatever its cause. */

import { Refusal } from '../domain/core/refusal.ts'
import { hashApiKey, isWellFormedApiKey } from '../domain/workspaces/api-key.ts'
import { findApiKey } from '../store/api-keys.ts'
import { findWorkspace } from '../store/workspaces.ts'

export interface Caller {
  /** The workspace that the call acts on. */
  workspaceId: string
  keyId: string
}

const unauthorized = () =>
  new Refusal('unauthorized', 'Send a valid API key as "Authorization: Bearer <key>".', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })

/**
 * Reads the key once, consistently, and only when its checksum is right. An organization's key may name one of its own
 * workspaces in `X-Service-Workspace`; any other value of that header is a 401 too.
 */
export async function authenticate(headers: Record<string, string | undefined>): Promise<Caller> {
  const key = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (!key || !isWellFormedApiKey(key)) throw unauthorized()
  const found = await findApiKey(hashApiKey(key))
  if (!found || found.revokedAt) throw unauthorized()
  const named = headers['x-service-workspace']
  if (named === undefined) return { workspaceId: found.workspaceId, keyId: found.id }
  const child = /^[A-Za-z0-9_]{1,64}$/.test(named) ? await findWorkspace(named) : undefined
  if (child?.organizationId !== found.workspaceId) throw unauthorized()
  return { workspaceId: child.id, keyId: found.id }
}
