/** API keys: create and revoke, by another key or by the operator. A key cannot revoke itself. */
import { hasAtMost } from '../core/bounded.ts'
import { Refusal } from '../core/refusal.ts'
import type { ApiKey } from '../records/api-key.ts'
import { type Decision, newDecision } from '../records/decision.ts'
import { apiKeysMax } from './plan.ts'
import type { Workspace } from './workspace.ts'

/** Encryption context of the stored response that shows a new key. */
export const newKeySealingContext = (workspaceId: string) => ({ purpose: 'api-key', workspaceId })

export const apiKeyNameLengthMax = 100

export interface ApiKeyDecision extends Decision {
  key: ApiKey
}

/** `acting`: the key of the request, which must still be valid at the commit; none for the operator. */
export function decideNewApiKey(workspace: Workspace, key: ApiKey, acting?: ApiKey): ApiKeyDecision {
  if (workspace.deletedAt) throw new Refusal('conflict', 'The workspace is deleted.')
  if (workspace.suspendedAt) throw new Refusal('conflict', 'The workspace is suspended. Resume it first.')
  if (workspace.apiKeysUsed >= apiKeysMax)
    throw new Refusal('limit-reached', `A workspace can have at most ${apiKeysMax} API keys. Revoke one first.`)
  if (!hasAtMost(key.name, apiKeyNameLengthMax))
    throw new Refusal('invalid-request', `The name of a key must be at most ${apiKeyNameLengthMax} characters long.`)
  return decide(undefined, key, key.createdAt, acting)
}

/** Undefined where it is revoked already. @throws Refusal `conflict` where a key would revoke itself. */
export function decideRevocation(key: ApiKey, now: string, acting?: ApiKey): ApiKeyDecision | undefined {
  if (key.id === acting?.id)
    throw new Refusal(
      'conflict',
      'This key authenticates the request. Revoke it with another key of the scope `admin`.',
    )
  return key.revokedAt ? undefined : decide(key, { ...key, revokedAt: now }, now, acting)
}

const decide = (before: ApiKey | undefined, key: ApiKey, now: string, acting: ApiKey | undefined): ApiKeyDecision => ({
  ...newDecision(key.workspaceId, [{ record: 'apiKey', before, after: key }], now),
  ...(acting && { actingKey: acting }),
  key,
})
