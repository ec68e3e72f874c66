/** Bodies and queries of the routes under /keys. */
import * as v from 'valibot'
import { nonBlankText } from '../../domain/core/bounded.ts'
import { apiKeyScopes } from '../../domain/records/api-key.ts'
import { apiKeyNameLengthMax } from '../../domain/workspaces/api-key-lifecycle.ts'
import { pageQuery } from '../schemas.ts'

export const createKeyRequest = v.object({
  name: nonBlankText(apiKeyNameLengthMax),
  scope: v.optional(v.picklist(apiKeyScopes), 'standard'),
})

export const listKeysQuery = v.object(pageQuery)
