import type { PlatformId } from '../core/platform.ts'

/** `expired`: the platform refuses us until the user connects the account anew. */
export type AccountHealth = 'connected' | 'expired'

/** What a platform tells of the account behind a token. */
export interface AccountIdentity {
  /** What the platform calls it: a user, page or channel id, a DID. */
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
  /** Board, subreddit, privacy and the like, in the platform's own words; absent ones have a default in the publisher. */
  settings: Record<string, string>
  health: AccountHealth
  /** When its user has to connect it again; null where that is nobody's to say, absent in records of before. */
  endsAt?: string | null
  connectedAt: string
  updatedAt: string
}
