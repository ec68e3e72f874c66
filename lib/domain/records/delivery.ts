import type { EventType } from './event.ts'

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

export type DeliveryStatus = (typeof deliveryStatuses)[number]

export interface Delivery {
  id: string
  workspaceId: string
  /** Counts every decision and every claim: who was overtaken changes nothing. */
  version: number
  webhookId: string
  /** The endpoint's when this was queued: after it was disabled, this is not sent. */
  epoch: number
  event: EventType
  /** Where it is posted, also where the endpoint moves meanwhile. */
  url: string
  status: DeliveryStatus
  attempts: number
  responseStatus: number | null
  lastError: string | null
  nextAttemptAt: string | null
  createdAt: string
  deliveredAt: string | null
  /** The envelope, byte for byte: every attempt posts these. */
  payload: string
  /** How often a worker had it for itself: more often than attempts were recorded where workers keep failing. */
  claims: number
  /** Until when one worker has it for itself. */
  leaseUntil: string | null
  dueAt: string | null
}
