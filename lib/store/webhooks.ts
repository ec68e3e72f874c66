/** Webhook endpoints of a workspace. There are few: all of them are read at once. */
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { notFound } from '../domain/core/refusal.ts'
import type { Webhook } from '../domain/records/webhook.ts'
import { table, tableName } from './core/client.ts'
import { keys } from './core/keys.ts'
import { webhookOf } from './core/row-compatibility.ts'

/** Every endpoint, newest first. */
export async function listWebhooks(workspaceId: string): Promise<Webhook[]> {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :webhooks',
      ExpressionAttributeValues: { ':webhooks': keys.webhook(workspaceId, '').pk },
      // Ids are ordered by time.
      ScanIndexForward: false,
      ConsistentRead: true,
    }),
  )
  return Items.map((item) => webhookOf(item))
}

export async function findWebhook(workspaceId: string, webhookId: string): Promise<Webhook | undefined> {
  const { Item } = await table.send(
    new GetCommand({ TableName: tableName(), Key: keys.webhook(workspaceId, webhookId), ConsistentRead: true }),
  )
  return Item && webhookOf(Item)
}

/** An endpoint by id. Another workspace's is not found, like one that never was. */
export async function getWebhook(workspaceId: string, webhookId: string): Promise<Webhook> {
  const webhook = await findWebhook(workspaceId, webhookId)
  if (!webhook) throw notFound('record')
  return webhook
}
