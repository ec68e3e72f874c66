/** Example responses of `routes/keys.ts`. */
import * as v from 'valibot'
import type { ApiKey } from '../../../domain/records/api-key.ts'
import { apiKeyPrefix } from '../../../domain/workspaces/api-key.ts'
import { decideNewApiKey, decideRevocation } from '../../../domain/workspaces/api-key-lifecycle.ts'
import { createKeyRequest } from '../../requests/keys.ts'
import * as routes from '../../routes/keys.ts'
import { apiKeyView, newApiKeyView } from '../../views/keys.ts'
import { type ExampleScenario, examplePage } from './scenario.ts'

export function keyExamples({ workspace, at }: ExampleScenario) {
  const acting = { id: 'key_01kbexampleadmin' }
  const key: ApiKey = {
    ...v.parse(createKeyRequest, routes.createKey.bodyExample),
    id: 'key_01kbexample',
    workspaceId: workspace.id,
    hash: '',
    lastFour: 'x4Tq',
    createdAt: at(5),
    revokedAt: null,
  }
  const { key: created } = decideNewApiKey(workspace, key)
  const used = { acting, lastUsedAt: at(30) }
  return {
    listKeys: examplePage(apiKeyView(created, used)),
    createKey: newApiKeyView(created, `${apiKeyPrefix}${'0'.repeat(45)}${key.lastFour}`, acting),
    revokeKey: apiKeyView(decideRevocation(created, at(58))!.key, used),
  }
}
