/** Webhook endpoints: create, edit, remove, and disable after too many failed deliveries. */

import type { DeliveryDrop } from '../core/outbox.ts'
import { Refusal } from '../core/refusal.ts'
import { secondsAfter } from '../core/time.ts'
import { type Decision, newDecision } from '../records/decision.ts'
import type { EventType } from '../records/event.ts'
import { eventTypes } from '../records/event.ts'
import type { Webhook } from '../records/webhook.ts'
import { webhooksMax } from '../workspaces/plan.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** Encryption context: a secret cannot be decrypted for another endpoint. */
export const webhookSecretSealingContext = ({ workspaceId, id }: Pick<Webhook, 'workspaceId' | 'id'>) => ({
  purpose: 'webhook',
  workspaceId,
  webhookId: id,
})

export interface WebhookDecision extends Decision {
  webhook: Webhook
}

/** Failed attempts in a row that disable an endpoint. */
export const endpointFailuresMax = 25
/** Failed attempts in a row that move an endpoint to the slow queue, so that it does not delay others. */
const slowAfterFailures = 5

/** Whether deliveries to an endpoint belong in the slow queue. */
export const isSlow = ({ failureCount }: Webhook) => failureCount >= slowAfterFailures

/** Creates an endpoint. `ids` are its id and sealed secret, made by the caller. */
export function createWebhook(
  workspace: Workspace,
  { url, events }: { url: string; events: string[] },
  ids: Pick<Webhook, 'id' | 'sealedSecret'>,
  now: string,
): WebhookDecision {
  const types = knownEvents(events)
  if (workspace.webhooksUsed >= webhooksMax)
    throw new Refusal('limit-reached', `A workspace has at most ${webhooksMax} webhook endpoints.`)
  const webhook: Webhook = {
    ...ids,
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
  return { ...newDecision(workspace.id, [{ record: 'webhook', before: undefined, after: webhook }], now), webhook }
}

export interface WebhookEdit {
  url?: string | undefined
  events?: string[] | undefined
  enabled?: boolean | undefined
}

/** Disabling drops queued deliveries. Enabling again, or changing the URL, resets the failure count. */
export function editWebhook(before: Webhook, { url, events, enabled }: WebhookEdit, now: string): WebhookDecision {
  const webhook: Webhook = {
    ...before,
    version: before.version + 1,
    updatedAt: now,
    ...(url === undefined ? {} : { url, failureCount: url === before.url ? before.failureCount : 0 }),
    ...(events === undefined ? {} : { events: knownEvents(events) }),
    ...(enabled === true && !before.enabled
      ? { enabled: true, enabledSince: now, failureCount: 0, disabledReason: null }
      : {}),
    ...(enabled === false && before.enabled ? { enabled: false, epoch: before.epoch + 1 } : {}),
  }
  const decision = newDecision(webhook.workspaceId, [{ record: 'webhook', before, after: webhook }], now)
  return { ...decision, deliveryDrops: before.enabled && !webhook.enabled ? [dropOf(webhook)] : [], webhook }
}

/** Disables an endpoint while its workspace is suspended; undefined if it is disabled already. Drops queued deliveries. */
export function suspendWebhook(before: Webhook, now: string): WebhookDecision | undefined {
  if (!before.enabled) return undefined
  const webhook: Webhook = {
    ...before,
    version: before.version + 1,
    updatedAt: now,
    enabled: false,
    epoch: before.epoch + 1,
    disabledReason: 'The workspace is suspended.',
    isSuspended: true,
  }
  const decision = newDecision(webhook.workspaceId, [{ record: 'webhook', before, after: webhook }], now)
  return { ...decision, deliveryDrops: [dropOf(webhook)], webhook }
}

/** Enables an endpoint that `suspendWebhook` disabled, for events from now on; undefined for any other. */
export function resumeWebhook(before: Webhook, now: string): WebhookDecision | undefined {
  const { isSuspended, ...rest } = before
  if (!isSuspended) return undefined
  const webhook: Webhook = {
    ...rest,
    version: before.version + 1,
    updatedAt: now,
    enabled: true,
    enabledSince: now,
    disabledReason: null,
  }
  return { ...newDecision(webhook.workspaceId, [{ record: 'webhook', before, after: webhook }], now), webhook }
}

/** Removes an endpoint; its queued deliveries are dropped. */
export function removeWebhook(webhook: Webhook, now: string): Decision {
  const decision = newDecision(webhook.workspaceId, [{ record: 'webhook', before: webhook, after: undefined }], now)
  return { ...decision, deliveryDrops: [dropOf({ ...webhook, epoch: webhook.epoch + 1 })] }
}

/** Drops the deliveries that were queued before the endpoint was disabled or removed. */
const dropOf = ({ id, epoch }: Webhook): DeliveryDrop => ({ webhookId: id, epoch })

/** The named event types without duplicates; refuses unknown ones. */
export function knownEvents(names: string[]): EventType[] {
  const unknown = names.filter((name) => !eventTypes.some((type) => type === name))
  if (unknown.length > 0) {
    const named = [...new Set(unknown)].slice(0, 5).map((name) => JSON.stringify(name.slice(0, 100)))
    throw new Refusal('warning-invalid-events', `Not an event: ${named.join(', ')}.`, { validEvents: [...eventTypes] })
  }
  return [...new Set(names)] as EventType[]
}

/** Name by which receivers are told apart: one host has many ports and paths. */
export const receiverHost = (url: string): string => new URL(url).hostname

/** Whether the host of an address acknowledged the last delivery to an endpoint, which may have moved since. */
export const hasAcknowledged = ({ acknowledgedHost }: Pick<Webhook, 'acknowledgedHost'>, url: string) =>
  acknowledgedHost === receiverHost(url)

/** The result of a delivery attempt for the endpoint. */
export type AttemptResult = 'acknowledged' | 'failed' | 'gone'

/**
 * The change of an endpoint after an attempt; undefined for no change: an endpoint that was disabled since stays as it is, and
 * the time of the last delivery is stored once a second at most, to limit writes for a busy endpoint.
 */
export function applyAttempt(before: Webhook, result: AttemptResult, now: string): WebhookAfter | undefined {
  if (!before.enabled) return undefined
  if (result === 'acknowledged') {
    const { failureCount, lastDeliveryAt, url } = before
    const isRecent = lastDeliveryAt !== null && now < secondsAfter(lastDeliveryAt, 1)
    if (failureCount === 0 && isRecent && hasAcknowledged(before, url)) return undefined
    return withFields(before, { failureCount: 0, lastDeliveryAt: now, acknowledgedHost: receiverHost(url) })
  }
  const failureCount = before.failureCount + 1
  const disabledReason =
    result === 'gone'
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
