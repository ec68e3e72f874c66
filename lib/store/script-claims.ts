/** Which scripts a video and its clips tell, so that no two of them tell the same. */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { secondsAfter } from '../domain/core/time.ts'
import { table, tableName } from './core/client.ts'
import { deleteByPrefix } from './core/delete-by-prefix.ts'
import { keys, ttlAttribute } from './core/keys.ts'
import { conditionFailed } from './core/write-conflict.ts'

/** After so long a script may be told again. */
const keptDays = 730

/** Whether a script is this video's to tell: the first of a source and its clips to claim it has it, also when it asks again. */
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
          ':until': Math.floor(Date.parse(secondsAfter(now, keptDays * 24 * 60 * 60)) / 1000),
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
