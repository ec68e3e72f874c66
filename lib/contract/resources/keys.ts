/** Schemas of API keys in responses. */
import * as v from 'valibot'
import { boundedText } from '../../domain/core/bounded.ts'
import { apiKeyScopes } from '../../domain/records/api-key.ts'
import { apiKeyPattern, apiKeyPrefix } from '../../domain/workspaces/api-key.ts'
import { apiKeyNameLengthMax } from '../../domain/workspaces/api-key-lifecycle.ts'
import { recordId, timestamp } from '../schemas.ts'

export const apiKey = v.object({
  id: recordId,
  name: boundedText(apiKeyNameLengthMax),
  scope: v.picklist(apiKeyScopes),
  prefix: v.literal(apiKeyPrefix),
  lastFour: v.pipe(v.string(), v.regex(/^[0-9A-Za-z]{4}$/)),
  isCurrent: v.boolean(),
  createdAt: timestamp,
  lastUsedAt: v.nullable(timestamp),
  revokedAt: v.nullable(timestamp),
})
export type ApiKeyResource = v.InferOutput<typeof apiKey>

/** Only the response of `createKey` holds the key itself. */
export const newApiKey = v.object({ ...apiKey.entries, key: v.pipe(v.string(), v.regex(apiKeyPattern)) })
export type NewApiKeyResource = v.InferOutput<typeof newApiKey>
