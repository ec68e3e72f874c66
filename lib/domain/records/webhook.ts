import type { EventType } from './event.ts'

export interface Webhook {
  id: string
  workspaceId: string
  /** Counts every decision on the record. */
  version: number
  url: string
  events: EventType[]
  enabled: boolean
  /** Events from before are not for it. */
  enabledSince: string
  /** Grows whenever it is disabled: what was queued before is not sent after. */
  epoch: number
  /** Can be opened by those who post, and by nobody else. */
  sealedSecret: string
  createdAt: string
  updatedAt: string
  /** When a delivery was acknowledged last, to the second. */
  lastDeliveryAt: string | null
  /** Failed attempts in a row. */
  failureCount: number
  disabledReason: string | null
}
