/** The stored record of one event's delivery to one webhook endpoint. */
import type { EventType } from './event.ts'

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

export type DeliveryStatus = (typeof deliveryStatuses)[number]

export interface Delivery {
  id: string
  workspaceId: string
  /** Optimistic lock: incremented by every decision and every claim. */
  version: number
  webhookId: string
  /** The endpoint's epoch when this was queued: not sent if the endpoint was disabled since. */
  epoch: number
  event: EventType
  /** The endpoint's URL when this was queued; stays if the endpoint's URL changes. */
  url: string
  status: DeliveryStatus
  attempts: number
  responseStatus: number | null
  lastError: string | null
  nextAttemptAt: string | null
  createdAt: string
  deliveredAt: string | null
  /** The request body, byte for byte the same for every attempt. */
  payload: string
  /** How often a worker leased it; exceeds `attempts` if workers crash before they record one. */
  claims: number
  /** End of the current worker's lease. */
  leaseUntil: string | null
  dueAt: string | null
}
