/** The stored record of a connected social account. */
import type { PlatformId } from '../core/platform.ts'

/** `expired`: the platform rejects the tokens until the user connects the account again. */
export type AccountHealth = 'connected' | 'expired'

/** The account that a token belongs to, as the platform reports it. */
export interface AccountIdentity {
  /** The platform's id: of a user, page or channel, or a DID. */
  externalId: string
  username: string
  displayName: string
  pictureUrl: string | null
}

export interface Account extends AccountIdentity {
  id: string
  workspaceId: string
  profileId: string
  platform: PlatformId
  version: number
  /** Board, subreddit, privacy and the like, in the platform's terms. The publisher has a default for absent ones. */
  settings: Record<string, string>
  health: AccountHealth
  /** When the user has to reconnect it; null if unknown, absent in older records. */
  endsAt?: string | null
  connectedAt: string
  updatedAt: string
}
