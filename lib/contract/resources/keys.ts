/** Schemas of API keys in responses. */
import * as v from 'valibot'
import { apiKeyScopes } from '../../domain/records/api-key.ts'
import { apiKeyPrefix } from '../../domain/workspaces/api-key.ts'
import { timestamp } from '../schemas.ts'

export const apiKey = v.object({
  id: v.string(),
  name: v.string(),
  scope: v.picklist(apiKeyScopes),
  prefix: v.literal(apiKeyPrefix),
  lastFour: v.string(),
  isCurrent: v.boolean(),
  createdAt: timestamp,
  lastUsedAt: v.nullable(timestamp),
  revokedAt: v.nullable(timestamp),
})
export type ApiKeyResource = v.InferOutput<typeof apiKey>

/** Only the response of `createKey` holds the key itself. */
export const newApiKey = v.object({ ...apiKey.entries, key: v.string() })
export type NewApiKeyResource = v.InferOutput<typeof newApiKey>
