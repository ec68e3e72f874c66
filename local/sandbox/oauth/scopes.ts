// Scopes that users grant, and the error of a platform for a missing scope.

import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import { graphError } from '../platforms/meta/graph-api.ts'
import { respond, type SandboxResponse } from '../platforms/platform.ts'
import { dialects } from './dialects.ts'

/** The scope that an operation requires; undefined if it requires none. */
export const requiredScope = (platform: PlatformId, op: string): string | undefined =>
  dialects[platform]?.requiredScopes[op]

/** The platform's error for a token without the scope. */
export function insufficientScope(platform: PlatformId, scope: string): SandboxResponse {
  const message = `This takes the permission ${scope}.`
  if (platform === 'tiktok')
    return respond(401, { data: {}, error: { code: 'scope_not_authorized', message, log_id: '1' } })
  if (['facebook', 'instagram', 'threads'].includes(platform)) return graphError(400, 10, message)
  if (platform === 'youtube') {
    const reason = 'insufficientPermissions'
    return respond(403, { error: { code: 403, message, errors: [{ message, domain: 'global', reason }] } })
  }
  return respond(403, { code: 'ACCESS_DENIED', status: 403, title: 'Forbidden', detail: message, message })
}
