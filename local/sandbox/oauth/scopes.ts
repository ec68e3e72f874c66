// What users allow, and what a platform says where it is not enough.

import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import { graphError } from '../platforms/meta/graph-api.ts'
import { respond, type SandboxResponse } from '../platforms/platform.ts'
import { dialects } from './dialects.ts'

/** The scope that a call takes; undefined where every user of the platform may. */
export const requiredScope = (platform: PlatformId, op: string): string | undefined =>
  dialects[platform]?.requiredScopes[op]

/** In the platform's own words, that a token does not permit this. */
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
