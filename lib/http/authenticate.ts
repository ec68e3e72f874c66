/**
 * Authentication: resolves an API key to its workspace. Every failure is the same 401, so that it reveals no cause, but for
 * the holder of a valid key of a suspended workspace.
 */

import { now } from '../clock.ts'
import { isWellFormedId } from '../domain/core/id.ts'
import { Refusal } from '../domain/core/refusal.ts'
import type { ApiKey } from '../domain/records/api-key.ts'
import { hashApiKey, invalidApiKey, isWellFormedApiKey } from '../domain/workspaces/api-key.ts'
import { findApiKey } from '../store/api-keys.ts'
import { recordKeyUse } from '../store/key-uses.ts'
import { findWorkspace } from '../store/workspaces.ts'

export interface Caller {
  /** The workspace that the request acts on. */
  workspaceId: string
  keyId: string
  /** The key of the request; of the workspace, or of its organization. */
  key: ApiKey
}

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
  if (!key || !isWellFormedApiKey(key)) throw invalidApiKey()
  const found = await findApiKey(hashApiKey(key))
  if (!found || found.revokedAt) throw invalidApiKey()
  if (found.suspendedAt) throw suspended()
  const requestedId = headers['x-service-workspace']
  const caller = { workspaceId: found.workspaceId, keyId: found.id, key: found }
  await recordKeyUse(found, now())
  if (requestedId === undefined) return caller
  // No other text is read as an id: a role that reads some rows alone is denied those of other forms.
  const child = isWellFormedId('wsp', requestedId) ? await findWorkspace(requestedId) : undefined
  if (child?.organizationId !== found.workspaceId) throw invalidApiKey()
  if (child.suspendedAt) throw suspended()
  return { ...caller, workspaceId: child.id }
}
