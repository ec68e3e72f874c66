/** Converts API keys to their resources. Only `newApiKeyView` shows the key itself. */

import type { ApiKey } from '../../domain/records/api-key.ts'
import { apiKeyPrefix, scopeOf } from '../../domain/workspaces/api-key.ts'
import type { ApiKeyResource, NewApiKeyResource } from '../resources/keys.ts'

/** `acting`: the key of the request. */
export const apiKeyView = (
  key: ApiKey,
  { acting, lastUsedAt = null }: { acting: Pick<ApiKey, 'id'>; lastUsedAt?: string | null | undefined },
): ApiKeyResource => ({
  id: key.id,
  name: key.name,
  scope: scopeOf(key),
  prefix: apiKeyPrefix,
  lastFour: key.lastFour,
  isCurrent: key.id === acting.id,
  createdAt: key.createdAt,
  lastUsedAt,
  revokedAt: key.revokedAt,
})

export const newApiKeyView = (key: ApiKey, secret: string, acting: Pick<ApiKey, 'id'>): NewApiKeyResource => ({
  ...apiKeyView(key, { acting }),
  key: secret,
})
