/**
 * Counting semaphores of a workspace: `runs` (open runs of generations and renders) and `waits` (requests that wait for
 * work). A row holds the set of holders; a holder with an expiry loses its permit then.
 */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { table, tableName } from './core/client.ts'
import { epochSeconds, keys } from './core/keys.ts'

export type SemaphoreName = 'runs' | 'waits'

export interface Semaphore {
  workspaceId: string
  name: SemaphoreName
}

export interface Holder {
  id: string
  /** ISO; null for a permit that is held until its release. */
  expiresAt: string | null
}

const memberOf = ({ id, expiresAt }: Holder) => (expiresAt ? `${id}@${epochSeconds(expiresAt)}` : id)
const hasExpired = (member: string, now: string) => Number(member.split('@')[1] ?? Infinity) <= epochSeconds(now)

/** False where all `max` permits are held. Idempotent: a holder has one permit. */
export async function acquirePermit(semaphore: Semaphore, holder: Holder, max: number, now: string): Promise<boolean> {
  const holders = await addHolder(semaphore, holder, max)
  if (!holders) return true
  const expired = [...holders].filter((member) => hasExpired(member, now))
  if (expired.length === 0) return false
  await removeMembers(semaphore, expired)
  return (await addHolder(semaphore, holder, max)) === undefined
}

/** Does nothing where the holder has no permit. */
export const releasePermit = (semaphore: Semaphore, holder: Holder): Promise<void> =>
  removeMembers(semaphore, [memberOf(holder)])

/** The present holders where there is no permit left; else undefined. */
async function addHolder(
  { workspaceId, name }: Semaphore,
  holder: Holder,
  max: number,
): Promise<Set<string> | undefined> {
  const member = memberOf(holder)
  try {
    await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.semaphore(workspaceId, name),
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

async function removeMembers({ workspaceId, name }: Semaphore, members: readonly string[]): Promise<void> {
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.semaphore(workspaceId, name),
      UpdateExpression: 'DELETE holders :members',
      ExpressionAttributeValues: { ':members': new Set(members) },
    }),
  )
}
