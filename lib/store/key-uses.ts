/**
 * When each API key was last used, to the hour. Stored beside the token buckets, which every function of the API may write: none of
 * them may write a key. Authentication must not depend on it.
 */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { setNewest } from '../bounded-map.ts'
import { secondsAfter } from '../domain/core/time.ts'
import type { ApiKey } from '../domain/records/api-key.ts'
import { log } from '../log.ts'
import { batchGetRows } from './core/batch-get.ts'
import { table, tableName } from './core/client.ts'
import { expiryOf, keys, ttlAttribute } from './core/keys.ts'

type KeyIds = Pick<ApiKey, 'workspaceId' | 'id'>

const precisionSeconds = 60 * 60
/** A key that was not used for longer counts as unused. */
const retentionSeconds = 400 * 24 * 60 * 60

const rememberedMax = 1_000
/** When this instance recorded a use last; the least recent comes first. */
const recorded = new Map<string, string>()

/** At most one write per key, instance and hour. A failure is logged: the request goes on. */
export async function recordKeyUse({ workspaceId, id }: KeyIds, now: string): Promise<void> {
  if ((recorded.get(id) ?? '') > secondsAfter(now, -precisionSeconds)) return
  setNewest(recorded, id, now, rememberedMax)
  try {
    await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.keyUse(workspaceId, id),
        UpdateExpression: `SET lastUsedAt = :now, ${ttlAttribute} = :until`,
        ExpressionAttributeValues: { ':now': now, ':until': expiryOf(now, retentionSeconds) },
      }),
    )
  } catch (error) {
    log.warn('key-use.unrecorded', { workspaceId, keyId: id, error })
  }
}

/** By id; a key without a known use is absent. */
export async function findKeyUses(of: readonly KeyIds[]): Promise<Map<string, string>> {
  const rows = await batchGetRows(of.map(({ workspaceId, id }) => keys.keyUse(workspaceId, id)))
  const times = new Map(rows.map(({ sk, lastUsedAt }) => [String(sk), String(lastUsedAt)]))
  return new Map(
    of.flatMap(({ workspaceId, id }) => {
      const at = times.get(keys.keyUse(workspaceId, id).sk)
      return at ? [[id, at] as const] : []
    }),
  )
}
