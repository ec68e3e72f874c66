/** Deliveries, endpoints and responses for tests of their rules. */

import type { Delivery } from '../../../lib/domain/records/delivery.ts'
import type { Webhook } from '../../../lib/domain/records/webhook.ts'
import type { DeliveryDecision, DeliveryOutcome } from '../../../lib/domain/webhooks/delivery-attempts.ts'
import { fanOutDeliveries } from '../../../lib/domain/webhooks/delivery-attempts.ts'
import { at } from './videos.ts'

export const payload = '{"event":"video.created"}'
export const event = { id: 'evt_1', type: 'video.created' as const, createdAt: at(0) }

export const webhookWith = (fields: Partial<Webhook> = {}): Webhook => ({
  id: 'whk_1',
  workspaceId: 'wsp_1',
  version: 1,
  url: 'https://example.com/hook',
  events: ['video.created'],
  enabled: true,
  enabledSince: at(-60),
  epoch: 0,
  sealedSecret: 'sealed',
  createdAt: at(-60),
  updatedAt: at(-60),
  lastDeliveryAt: null,
  failureCount: 0,
  disabledReason: null,
  ...fields,
})

export const deliveryWith = (fields: Partial<Delivery> = {}): Delivery => ({
  ...fanOutDeliveries(event, payload, [webhookWith()])[0]!,
  ...fields,
})

export const responded = (status: number, retryAfter?: string): DeliveryOutcome => ({ status, retryAfter })
export const noResponse: DeliveryOutcome = { status: null, error: 'No complete response within 8000 ms.' }
export const neutralJitter = { jitter: 0.5, timeScale: 1 }

/** The decision on the endpoint, if there is one. */
export const endpointAfter = ({ changes }: DeliveryDecision) =>
  changes.flatMap((change) => (change.record === 'webhook' && change.after ? [change.after] : []))[0]

export const backoffMs = ({ nextAttemptAt }: Delivery, now: string) => Date.parse(nextAttemptAt!) - Date.parse(now)
