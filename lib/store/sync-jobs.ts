/** Synchronous actions on a video: the newest run of each. */
import { DeleteCommand, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { Superseded } from '../domain/core/failures.ts'
import type { ActionKind } from '../domain/core/pipeline.ts'
import type { ActionRun } from '../domain/records/sync-job.ts'
import { table, tableName } from './core/client.ts'
import type { Key } from './core/keys.ts'
import { actionPrefix, keys } from './core/keys.ts'
import { actionOf } from './core/row-compatibility.ts'
import { conditionFailed } from './core/write-conflict.ts'

export interface ActionPlace {
  workspaceId: string
  videoId: string
  kind: ActionKind
  target: string
}

export const findAction = ({ workspaceId, videoId, kind, target }: ActionPlace): Promise<ActionRun | undefined> =>
  findActionByKey(keys.action(workspaceId, videoId, kind, target))

export async function findActionByKey({ pk, sk }: Key): Promise<ActionRun | undefined> {
  const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key: { pk, sk }, ConsistentRead: true }))
  return Item && actionOf(Item)
}

/** Makes the caller the one worker of a run: any earlier worker loses its next write. */
export async function claimActionAttempt(
  { workspaceId, videoId, kind, target }: ActionPlace,
  runId: string,
): Promise<ActionRun> {
  try {
    const { Attributes } = await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.action(workspaceId, videoId, kind, target),
        UpdateExpression: 'SET attempt = attempt + :one, #version = #version + :one',
        ConditionExpression: 'runId = :run AND #status = :running',
        ExpressionAttributeNames: { '#status': 'status', '#version': 'version' },
        ExpressionAttributeValues: { ':run': runId, ':running': 'RUNNING', ':one': 1 },
        ReturnValues: 'ALL_NEW',
      }),
    )
    return actionOf(Attributes!)
  } catch (error) {
    if (!conditionFailed(error)) throw error
    throw new Superseded(`Run ${runId} is no longer the open ${kind} of ${videoId}.`)
  }
}

/** Every action of a video: at most one for each kind and target. */
export async function listActions(workspaceId: string, videoId: string): Promise<ActionRun[]> {
  const { pk } = keys.action(workspaceId, videoId, '', '')
  const actions: ActionRun[] = []
  let cursor: Record<string, unknown> | undefined
  do {
    const { Items = [], LastEvaluatedKey } = await table.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :actions)',
        ExpressionAttributeValues: { ':pk': pk, ':actions': actionPrefix },
        ConsistentRead: true,
        ...(cursor ? { ExclusiveStartKey: cursor } : {}),
      }),
    )
    actions.push(...Items.map((item) => actionOf(item)))
    cursor = LastEvaluatedKey
  } while (cursor)
  return actions
}

/** Forgets an action that has ended; one that was begun anew meanwhile stays, with what was reserved for it. */
export async function deleteAction({ workspaceId, videoId, kind, target, runId }: ActionRun): Promise<void> {
  try {
    await table.send(
      new DeleteCommand({
        TableName: tableName(),
        Key: keys.action(workspaceId, videoId, kind, target),
        ConditionExpression: 'runId = :run AND #status <> :running',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':run': runId, ':running': 'RUNNING' },
      }),
    )
  } catch (error) {
    if (!conditionFailed(error)) throw error
  }
}
