/** Workspaces: read by requests that need plan or counters, created and changed by the operator. */
import { GetCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { setNewest } from '../bounded-map.ts'
import { now } from '../clock.ts'
import { notFound, Refusal } from '../domain/core/refusal.ts'
import type { RequestLimits } from '../domain/workspaces/request-limits.ts'
import type { Workspace } from '../domain/workspaces/workspace.ts'
import { table, tableName } from './core/client.ts'
import type { Key } from './core/keys.ts'
import { keys, listPartitions } from './core/keys.ts'
import { listRows } from './core/list-index.ts'
import { automationWakeUpRow } from './core/outbox.ts'
import { workspaceOf } from './core/row-compatibility.ts'
import { conditionFailed, firstConditionFailed } from './core/write-conflict.ts'

export async function findWorkspace(workspaceId: string): Promise<Workspace | undefined> {
  const { Item } = await table.send(
    new GetCommand({ TableName: tableName(), Key: keys.workspace(workspaceId), ConsistentRead: true }),
  )
  const workspace = Item && workspaceOf(Item)
  if (workspace) remember(workspace)
  return workspace
}

interface ReadWorkspace {
  workspace: Workspace
  /** Milliseconds since the epoch. */
  readAt: number
}

const rememberedMax = 1_000
/** What this instance read last of each workspace; the least recently read comes first. */
const remembered = new Map<string, ReadWorkspace>()

const remember = (workspace: Workspace): void =>
  setNewest(remembered, workspace.id, { workspace, readAt: Date.parse(now()) }, rememberedMax)

/** The workspace as this instance last read it, for limits that may be a minute late. */
export const lastReadWorkspace = (workspaceId: string): ReadWorkspace | undefined => remembered.get(workspaceId)

export async function getWorkspace(workspaceId: string): Promise<Workspace> {
  const workspace = await findWorkspace(workspaceId)
  if (!workspace) throw notFound('workspace')
  return workspace
}

export async function putWorkspace(workspace: Workspace): Promise<void> {
  await table.send(
    new PutCommand({
      TableName: tableName(),
      Item: {
        ...keys.workspace(workspace.id),
        listPk: listPartitions.workspaces(),
        listSk: `${workspace.createdAt}#${workspace.id}`,
        ...workspace,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    }),
  )
}

/**
 * Changes the plan with its credits and wakes the automations. @throws Refusal `conflict` where the plan has changed
 * since it was read.
 */
export async function replacePlan(before: Workspace, after: Workspace): Promise<void> {
  const at = now()
  const cause = `${before.id}#${after.planId}#${at}`
  try {
    await table.send(
      new TransactWriteCommand({
        TransactItems: [
          {
            Update: {
              TableName: tableName(),
              Key: keys.workspace(before.id),
              UpdateExpression:
                'SET planId = :plan, creditsGranted = :granted, creditsBalance = creditsBalance + :added',
              ConditionExpression: 'planId = :seen AND creditsGranted = :seenGranted',
              ExpressionAttributeValues: {
                ':plan': after.planId,
                ':granted': after.creditsGranted,
                ':added': after.creditsBalance - before.creditsBalance,
                ':seen': before.planId,
                ':seenGranted': before.creditsGranted,
              },
            },
          },
          { Put: { TableName: tableName(), Item: automationWakeUpRow(before.id, { profileId: null, cause }, at) } },
        ],
      }),
    )
  } catch (error) {
    if (firstConditionFailed(error))
      throw new Refusal('conflict', 'The plan of this workspace has changed in the meantime. Try again.')
    throw error
  }
}

/** Sets the operator's limits in place of those of the plan; undefined restores the plan's. Instances apply them within a minute. */
export async function setRequestLimits(workspaceId: string, limits: RequestLimits | undefined): Promise<void> {
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.workspace(workspaceId),
      UpdateExpression: limits ? 'SET requestsPerMinute = :limits' : 'REMOVE requestsPerMinute',
      ConditionExpression: 'attribute_exists(pk)',
      ...(limits && { ExpressionAttributeValues: { ':limits': limits } }),
    }),
  )
}

/** Moves the test clock of a workspace forward. */
export async function advanceWorkspaceClock(workspaceId: string, to: string): Promise<void> {
  try {
    await table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.workspace(workspaceId),
        UpdateExpression: 'SET clockAt = :to',
        ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(clockAt) OR clockAt <= :to)',
        ExpressionAttributeValues: { ':to': to },
      }),
    )
  } catch (error) {
    if (conditionFailed(error)) throw new Refusal('conflict', 'The clock of this workspace is already further ahead.')
    throw error
  }
}

/** Every workspace of the deployment, newest first. For the operator. */
export async function listWorkspaces(): Promise<Workspace[]> {
  const ids: string[] = []
  for await (const { id } of listRows<Key & { id: string }>(listPartitions.workspaces())) ids.push(id)
  return Promise.all(ids.map(getWorkspace))
}
