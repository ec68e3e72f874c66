/**
 * Permits of a workspace's requests that wait for work, a counting semaphore. A row holds the set of holders; each loses
 * its permit when it expires.
 */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from './core/client.ts'
import { epochSeconds, keys } from './core/keys.ts'

export interface WaitPermitHolder {
  id: string
  /** ISO. */
  expiresAt: string
}

const memberOf = ({ id, expiresAt }: WaitPermitHolder) => `${id}@${epochSeconds(expiresAt)}`
const hasExpired = (member: string, now: string) => Number(member.split('@')[1]) <= epochSeconds(now)

/** False where all `max` permits are held. Idempotent: a holder has one permit. */
export async function acquireWaitPermit(
  workspaceId: string,
  holder: WaitPermitHolder,
  max: number,
  now: string,
): Promise<boolean> {
  const holders = await addHolder(workspaceId, holder, max)
  if (!holders) return true
  const expired = [...holders].filter((member) => hasExpired(member, now))
  if (expired.length === 0) return false
  await removeMembers(workspaceId, expired)
  return (await addHolder(workspaceId, holder, max)) === undefined
}

/** Does nothing where the holder has no permit. */
export const releaseWaitPermit = (workspaceId: string, holder: WaitPermitHolder): Promise<void> =>
  removeMembers(workspaceId, [memberOf(holder)])

/** The present holders where there is no permit left; else undefined. */
async function addHolder(workspaceId: string, holder: WaitPermitHolder, max: number): Promise<Set<string> | undefined> {
  const member = memberOf(holder)
  try {
    await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.semaphore(workspaceId, 'waits'),
        UpdateExpression: 'ADD holders :holder',
        ConditionExpression: 'attribute_not_exists(holders) OR size(holders) < :max OR contains(holders, :member)',
        ExpressionAttributeValues: { ':holder': new Set([member]), ':max': max, ':member': member },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    )
    return undefined
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    return new Set(error.Item?.holders?.SS)
  }
}

async function removeMembers(workspaceId: string, members: readonly string[]): Promise<void> {
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.semaphore(workspaceId, 'waits'),
      UpdateExpression: 'DELETE holders :members',
      ExpressionAttributeValues: { ':members': new Set(members) },
    }),
  )
}
