/** Webhook endpoints: where a workspace wants its events, and when they stop being sent there. */

import type { DeliveryDrop } from '../core/outbox.ts'
import { Refusal } from '../core/refusal.ts'
import { secondsAfter } from '../core/time.ts'
import type { Decision, RecordChange } from '../records/decision.ts'
import type { EventType } from '../records/event.ts'
import { eventTypes } from '../records/event.ts'
import type { Webhook } from '../records/webhook.ts'
import { webhooksMax } from '../workspaces/plan.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** What the secret of an endpoint belongs to: in another context it cannot be opened. */
export const webhookSecretSealingContext = ({ workspaceId, id }: Pick<Webhook, 'workspaceId' | 'id'>) => ({
  purpose: 'webhook',
  workspaceId,
  webhookId: id,
})

export interface WebhookDecision extends Decision {
  webhook: Webhook
}

/** An endpoint after so many failed attempts in a row is disabled. */
export const endpointFailuresMax = 25
/** An endpoint after so many failed attempts in a row is served apart, so that others need not wait for it. */
const slowAfterFailures = 5

/** Whether deliveries to it belong into the queue of the slow. */
export const isSlow = ({ failureCount }: Webhook) => failureCount >= slowAfterFailures

/** A new endpoint. `made` holds its id and the secret that was sealed for it. */
export function createWebhook(
  workspace: Workspace,
  { url, events }: { url: string; events: string[] },
  made: Pick<Webhook, 'id' | 'sealedSecret'>,
  now: string,
): WebhookDecision {
  const types = subscribed(events)
  if (workspace.webhooksUsed >= webhooksMax)
    throw new Refusal('limit-reached', `A workspace has at most ${webhooksMax} webhook endpoints.`)
  const webhook: Webhook = {
    ...made,
    workspaceId: workspace.id,
    version: 1,
    url,
    events: types,
    enabled: true,
    enabledSince: now,
    epoch: 0,
    createdAt: now,
    updatedAt: now,
    lastDeliveryAt: null,
    failureCount: 0,
    disabledReason: null,
  }
  return { ...decided(webhook, { record: 'webhook', before: undefined, after: webhook }, now), webhook }
}

export interface WebhookEdit {
  url?: string | undefined
  events?: string[] | undefined
  enabled?: boolean | undefined
}

/** Disabling drops what is queued; enabling again, like another address, starts with a clean record. */
export function editWebhook(before: Webhook, { url, events, enabled }: WebhookEdit, now: string): WebhookDecision {
  const webhook: Webhook = {
    ...before,
    version: before.version + 1,
    updatedAt: now,
    ...(url === undefined ? {} : { url, failureCount: url === before.url ? before.failureCount : 0 }),
    ...(events === undefined ? {} : { events: subscribed(events) }),
    ...(enabled === true && !before.enabled
      ? { enabled: true, enabledSince: now, failureCount: 0, disabledReason: null }
      : {}),
    ...(enabled === false && before.enabled ? { enabled: false, epoch: before.epoch + 1 } : {}),
  }
  const decision = decided(webhook, { record: 'webhook', before, after: webhook }, now)
  return { ...decision, deliveryDrops: before.enabled && !webhook.enabled ? [dropOf(webhook)] : [], webhook }
}

/** Removes an endpoint; its queued deliveries are dropped. */
export function removeWebhook(webhook: Webhook, now: string): Decision {
  const decision = decided(webhook, { record: 'webhook', before: webhook, after: undefined }, now)
  return { ...decision, deliveryDrops: [dropOf({ ...webhook, epoch: webhook.epoch + 1 })] }
}

/** What is queued for an endpoint from before it was disabled or removed. */
const dropOf = ({ id, epoch }: Webhook): DeliveryDrop => ({ webhookId: id, epoch })

const decided = ({ workspaceId }: Webhook, change: RecordChange, now: string): Decision => ({
  workspaceId,
  at: now,
  changes: [change],
  charges: [],
  events: [],
  starts: [],
})

/** The event types that were named, each once; refused where one of them is none. */
function subscribed(names: string[]): EventType[] {
  const unknown = names.filter((name) => !eventTypes.some((type) => type === name))
  if (unknown.length > 0) {
    const named = [...new Set(unknown)].slice(0, 5).map((name) => JSON.stringify(name.slice(0, 100)))
    throw new Refusal('warning-invalid-events', `Not an event: ${named.join(', ')}.`, { validEvents: [...eventTypes] })
  }
  return [...new Set(names)] as EventType[]
}

/** How an attempt to deliver ended for the endpoint. */
export type AttemptResult = 'acknowledged' | 'failed' | 'gone'

/**
 * What an attempt changes about its endpoint, or undefined where nothing: one that was disabled since is left as it is, and the
 * time of the last delivery is kept to the second only, so that a busy endpoint is not written with each.
 */
export function applyAttempt(before: Webhook, reception: AttemptResult, now: string): WebhookAfter | undefined {
  if (!before.enabled) return undefined
  if (reception === 'acknowledged') {
    const { failureCount, lastDeliveryAt } = before
    if (failureCount === 0 && lastDeliveryAt && now < secondsAfter(lastDeliveryAt, 1)) return undefined
    return withFields(before, { failureCount: 0, lastDeliveryAt: now })
  }
  const failureCount = before.failureCount + 1
  const disabledReason =
    reception === 'gone'
      ? 'The endpoint answered 410 Gone.'
      : failureCount >= endpointFailuresMax
        ? `${failureCount} delivery attempts failed in a row.`
        : undefined
  if (disabledReason === undefined) return withFields(before, { failureCount })
  const disabled = { failureCount, enabled: false, disabledReason, epoch: before.epoch + 1, updatedAt: now }
  const after = withFields(before, disabled)
  return { ...after, drops: [dropOf(after.change.after)] }
}

interface WebhookAfter {
  change: { record: 'webhook'; before: Webhook; after: Webhook }
  drops: DeliveryDrop[]
}

const withFields = (before: Webhook, fields: Partial<Webhook>): WebhookAfter => ({
  change: { record: 'webhook', before, after: { ...before, ...fields, version: before.version + 1 } },
  drops: [],
})
