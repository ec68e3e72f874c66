/** Endpoints and deliveries as preconditions, made through the API and the domain. Nothing is posted to them. */

import { now } from '../../../lib/clock.ts'
import { exampleEventEnvelopes } from '../../../lib/contract/openapi/examples/index.ts'
import type { NewWebhookResource } from '../../../lib/contract/resources/webhooks.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import type { RecordChange } from '../../../lib/domain/records/decision.ts'
import type { Delivery } from '../../../lib/domain/records/delivery.ts'
import type { EventType } from '../../../lib/domain/records/event.ts'
import type { Webhook } from '../../../lib/domain/records/webhook.ts'
import { fanOutDeliveries } from '../../../lib/domain/webhooks/delivery-attempts.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { getWebhook } from '../../../lib/store/webhooks.ts'
import { callApi, type World } from '../world.ts'

export const unreachableUrl = 'http://127.0.0.1:65535/hook'

export interface GivenWebhook {
  url?: string
  events?: EventType[]
}

/** An endpoint as the answer that made it shows it, with its secret. */
export async function givenWebhook({ apiKey }: World, given: GivenWebhook = {}): Promise<NewWebhookResource> {
  const body = { url: unreachableUrl, events: ['video.created'], ...given }
  const answer = await callApi('POST', '/webhooks', { key: apiKey, body })
  if (answer.status !== 201) throw new Error(`POST /webhooks answered ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

const envelopes = exampleEventEnvelopes()

/** A delivery of an event to an endpoint, as the fan-out makes it, with what else its record shall hold. */
export async function givenDelivery(
  { workspaceId }: Pick<World, 'workspaceId'>,
  webhookId: string,
  event: EventType = 'video.created',
  fields: Partial<Delivery> = {},
): Promise<Delivery> {
  const webhook = await getWebhook(workspaceId, webhookId)
  const at = fields.createdAt ?? now()
  const payload = JSON.stringify({ ...envelopes[event], workspaceId, createdAt: at })
  const told = { id: mintId('evt', at), type: event, createdAt: at }
  const [queued] = fanOutDeliveries(told, payload, [{ ...webhook, events: [event], enabledSince: at }])
  if (!queued) throw new Error(`The endpoint ${webhookId} is disabled.`)
  const delivery = { ...queued, ...fields }
  await write(workspaceId, { record: 'delivery', before: undefined, after: delivery })
  return delivery
}

/** Sets what would take an endpoint many deliveries to reach: failures, being disabled by them. */
export async function updateWebhook(
  { workspaceId }: Pick<World, 'workspaceId'>,
  webhookId: string,
  fields: Partial<Webhook>,
): Promise<void> {
  const before = await getWebhook(workspaceId, webhookId)
  const after = { ...before, ...fields, version: before.version + 1 }
  await write(workspaceId, { record: 'webhook', before, after })
}

const write = (workspaceId: string, change: RecordChange) =>
  commit({ workspaceId, at: now(), changes: [change], charges: [], events: [], starts: [] })
