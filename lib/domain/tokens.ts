/**
 * The tokens of an account at rest: sealed, and beside them, in clear, what decides when they are renewed. A platform may take a pair back
 * the moment that it gives the next one, so one process at a time renews, for the time of a lease.
 */
import type { PlatformId } from './platform.ts'
import type { Account, Tokens } from './profile.ts'
import { secondsAfter } from './time.ts'

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
}

/** What tokens belong to: in another context they cannot be opened. */
export const tokensContext = ({ workspaceId, id, platform }: Pick<Account, 'workspaceId' | 'id' | 'platform'>) => ({
  purpose: 'account',
  workspaceId,
  accountId: id,
  platform,
})

/** A pair as it is stored; `before` is the one that it takes the place of, in the same row. */
export const storedPair = (
  { workspaceId, id, platform }: Pick<Account, 'workspaceId' | 'id' | 'platform'>,
  before: SealedTokens | undefined,
  { sealed, tokens }: { sealed: string; tokens: Pick<Tokens, 'accessEndsAt'> },
  now: string,
): SealedTokens => ({
  workspaceId,
  accountId: id,
  platform,
  version: Math.max(Date.parse(now), (before?.version ?? 0) + 1),
  sealed,
  storedAt: now,
  accessEndsAt: tokens.accessEndsAt,
  leaseUntil: null,
})

/** A pair that is younger is not renewed again: whoever was refused was so with the one before. */
const youngSeconds = 60
const renewedBeforeSeconds = 10 * 60
const renewedBeforeShare = 0.2
/** What ends sooner may have ended when a request arrives. */
const holdsSeconds = 30

/** Whether the platform, as far as one knows, takes the access token for the next requests. */
export const holds = ({ accessEndsAt }: Pick<SealedTokens, 'accessEndsAt'>, now: string): boolean =>
  accessEndsAt === null || accessEndsAt > secondsAfter(now, holdsSeconds)

/** Whether the pair should be renewed before it is used: it ends soon, or `isNew` asks for one that no request has used. */
export function isDue(tokens: SealedTokens, { isNew }: { isNew: boolean }, now: string): boolean {
  const { accessEndsAt, storedAt } = tokens
  if (now < secondsAfter(storedAt, youngSeconds)) return !holds(tokens, now)
  if (isNew) return true
  if (accessEndsAt === null) return false
  const leftSeconds = (Date.parse(accessEndsAt) - Date.parse(now)) / 1000
  const lifeSeconds = (Date.parse(accessEndsAt) - Date.parse(storedAt)) / 1000
  return leftSeconds < renewedBeforeSeconds || leftSeconds < renewedBeforeShare * lifeSeconds
}

/** As long as the longest renewal may take: after it, whoever had the lease is taken for dead. */
export const leaseSeconds = 30
/** For so long nobody asks a platform that did not answer. */
export const restSeconds = 10

export const isLeased = ({ leaseUntil }: SealedTokens, now: string) => leaseUntil !== null && leaseUntil > now
