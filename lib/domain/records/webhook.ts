/** The stored record of a webhook endpoint. */
import type { EventType } from './event.ts'

export interface Webhook {
  id: string
  workspaceId: string
  /** Optimistic lock: incremented by every decision. */
  version: number
  url: string
  events: EventType[]
  enabled: boolean
  /** Earlier events are not delivered. */
  enabledSince: string
  /** Incremented whenever it is disabled: deliveries queued before that are dropped. */
  epoch: number
  /** The signing secret. Only the delivery workers may decrypt it. */
  sealedSecret: string
  createdAt: string
  updatedAt: string
  /** Time of the last acknowledged delivery, to the second. */
  lastDeliveryAt: string | null
  /** Host name that acknowledged that delivery: the URL may name another since. */
  acknowledgedHost?: string
  /** Failed attempts in a row. */
  failureCount: number
  disabledReason: string | null
  /** Disabled because its workspace is suspended: enabled again when that is resumed. */
  isSuspended?: true
}
