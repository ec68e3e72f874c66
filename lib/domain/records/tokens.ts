import type { PlatformId } from '../core/platform.ts'

export interface SealedTokens {
  workspaceId: string
  accountId: string
  platform: PlatformId
  /** Names the pair. It begins with the time, so that a row which is made anew never repeats the number of an older pair. */
  version: number
  sealed: string
  /** When we got this pair. */
  storedAt: string
  accessEndsAt: string | null
  /** Until then somebody renews them; null where nobody does. */
  leaseUntil: string | null
  /** When somebody looks at them although nobody posts. Absent in rows of before. */
  dueAt?: string
}
