/** The OAuth tokens of an account: as stored, sealed with the times that decide on refreshes in clear, and in memory. */
import type { PlatformId } from '../core/platform.ts'

export interface SealedTokens {
  workspaceId: string
  accountId: string
  platform: PlatformId
  /** Identifies the tokens. Starts at the current time, so that a row that is created again never repeats an older version. */
  version: number
  sealed: string
  /** When these tokens were obtained. */
  storedAt: string
  accessEndsAt: string | null
  /** End of the lease of the process that refreshes them; null if none does. */
  leaseUntil: string | null
  /** When they are refreshed or verified even if nothing is published. Absent in older rows. */
  dueAt?: string
}

/** OAuth tokens of an account in clear; stored sealed only. */
export interface Tokens {
  access: string
  /** Null if it does not expire. */
  accessEndsAt: string | null
  /** Null if the platform issues none: the user has to reconnect when `access` expires. */
  refresh: string | null
  refreshEndsAt: string | null
}
