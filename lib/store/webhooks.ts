/** Webhook endpoints of a workspace. There are few, so all of them are read in one query. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { notFound } from '../domain/core/refusal.ts'
import type { Webhook } from '../domain/records/webhook.ts'
import { table, tableName } from './core/client.ts'
import { keys } from './core/keys.ts'
import { queryAll } from './core/query.ts'
import { webhookOf } from './core/row-compatibility.ts'

/** Every endpoint, newest first. */
export async function listWebhooks(workspaceId: string): Promise<Webhook[]> {
  const rows = await queryAll({
    KeyConditionExpression: 'pk = :webhooks',
    ExpressionAttributeValues: { ':webhooks': keys.webhook(workspaceId, '').pk },
    // Ids are ordered by time.
    ScanIndexForward: false,
    ConsistentRead: true,
  })
  return rows.map(webhookOf)
}

export async function findWebhook(workspaceId: string, webhookId: string): Promise<Webhook | undefined> {
  const { Item } = await table.send(
    new GetCommand({ TableName: tableName(), Key: keys.webhook(workspaceId, webhookId), ConsistentRead: true }),
  )
  return Item && webhookOf(Item)
}

/** An endpoint by id; `not-found` in another workspace. */
export async function getWebhook(workspaceId: string, webhookId: string): Promise<Webhook> {
  const webhook = await findWebhook(workspaceId, webhookId)
  if (!webhook) throw notFound('webhook')
  return webhook
}
