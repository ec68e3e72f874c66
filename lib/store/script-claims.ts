/** Claims on scripts: no two of a video and its clips use the same one. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from './core/client.ts'
import { deleteByPrefix } from './core/delete-by-prefix.ts'
import { expiryOf, keys, ttlAttribute } from './core/keys.ts'
import { conditionFailed } from './core/write-conflict.ts'

/** After this a script may be used again. */
const retentionDays = 730

/** True where this video holds the claim: the first of a source and its clips gets it, and may claim it again. */
export async function claimScript(
  { workspaceId, sourceId, videoId }: { workspaceId: string; sourceId: string; videoId: string },
  scriptHash: string,
  now: string,
): Promise<boolean> {
  try {
    await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.script(workspaceId, sourceId, scriptHash),
        UpdateExpression: `SET toldBy = :video, ${ttlAttribute} = :until`,
        ConditionExpression: 'attribute_not_exists(pk) OR toldBy = :video',
        ExpressionAttributeValues: {
          ':video': videoId,
          ':until': expiryOf(now, retentionDays * 24 * 60 * 60),
        },
      }),
    )
    return true
  } catch (error) {
    if (!conditionFailed(error)) throw error
    return false
  }
}

export const deleteScriptClaims = (workspaceId: string, videoId: string): Promise<void> =>
  deleteByPrefix(keys.script(workspaceId, videoId, ''))
