/** Workspaces: read on requests that need their plan or counters, written by the operator. */
import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { notFound } from '../domain/refusal.ts'
import type { Workspace } from '../domain/workspace.ts'
import { table, tableName } from './client.ts'
import { keys, listIndex, listPartitions } from './keys.ts'

export async function findWorkspace(workspaceId: string): Promise<Workspace | undefined> {
  const { Item } = await table.send(
    new GetCommand({ TableName: tableName(), Key: keys.workspace(workspaceId), ConsistentRead: true }),
  )
  return Item as Workspace | undefined
}

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

/** Every workspace of the deployment, newest first. For the operator. */
export async function listWorkspaces(): Promise<Workspace[]> {
  const ids: string[] = []
  let cursor: Record<string, unknown> | undefined
  do {
    const { Items, LastEvaluatedKey } = await table.send(
      new QueryCommand({
        TableName: tableName(),
        IndexName: listIndex.name,
        KeyConditionExpression: '#partition = :all',
        ExpressionAttributeNames: { '#partition': listIndex.partition },
        ExpressionAttributeValues: { ':all': listPartitions.workspaces() },
        ScanIndexForward: false,
        ...(cursor ? { ExclusiveStartKey: cursor } : {}),
      }),
    )
    ids.push(...(Items ?? []).map((item) => item.id as string))
    cursor = LastEvaluatedKey
  } while (cursor)
  return Promise.all(ids.map(getWorkspace))
}
