/**
 * The tokens of an account at rest: sealed, and beside them, in clear, what decides when they are renewed. A platform may take a pair back
 * the moment that it gives the next one, so one process at a time renews, for the time of a lease.
 */
import { createHash } from 'node:crypto'
import { earliest, secondsAfter, secondsBetween } from '../core/time.ts'
import type { Account } from '../records/account.ts'
import type { SealedTokens } from '../records/tokens.ts'
import type { Tokens } from './profiles.ts'

/** What tokens belong to: in another context they cannot be opened. */
export const tokensSealingContext = ({
  workspaceId,
  id,
  platform,
}: Pick<Account, 'workspaceId' | 'id' | 'platform'>) => ({
  purpose: 'account',
  workspaceId,
  accountId: id,
  platform,
})

/** A pair as it is stored; `before` is the one that it takes the place of, in the same row. */
export const newSealedTokens = (
  { workspaceId, id, platform }: Pick<Account, 'workspaceId' | 'id' | 'platform'>,
  before: SealedTokens | undefined,
  { sealed, tokens }: { sealed: string; tokens: Omit<Tokens, 'access'> },
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
  dueAt: nextRefreshAt(tokens, id, now),
})

/** When the user has to come back where nobody renews meanwhile: the end of what renews, without that of what is used. */
export const authorizationEndsAt = ({ accessEndsAt, refresh, refreshEndsAt }: Omit<Tokens, 'access'>): string | null =>
  refresh === null ? accessEndsAt : refreshEndsAt

const [daySeconds, weekSeconds] = [24 * 60 * 60, 7 * 24 * 60 * 60]

/**
 * A pair that can be renewed is so once a week, whoever posts: many refresh tokens end unless they are used (docs/connecting.md), and that the
 * user took the permission back is seen before a post fails. One that ends earlier is renewed in the middle of its life, but not more than daily: some
 * platforms do not put the end off. Of a pair that cannot be renewed the platform is asked once a week, and it is looked at when it ends.
 */
export function nextRefreshAt(tokens: Omit<Tokens, 'access'>, accountId: string, now: string): string {
  const endsAt = authorizationEndsAt(tokens)
  const half = endsAt === null || tokens.refresh === null ? weekSeconds : secondsBetween(now, endsAt) / 2
  const seconds = Math.min(Math.max(half, daySeconds), weekSeconds)
  const at = secondsAfter(now, seconds * (1 - jitterShareMax * seededShare(`${accountId} ${now}`)))
  return tokens.refresh === null && endsAt !== null ? earliest(at, endsAt) : at
}

/** When it is tried again to renew a pair that was due then: in an hour, and the longer it lasts the less often, at least daily. */
export const nextRetryAt = ({ accountId, dueAt }: SealedTokens, now: string): string => {
  const waited = secondsBetween(dueAt ?? now, now)
  const seconds = Math.min(Math.max(waited, 60 * 60), daySeconds)
  return secondsAfter(now, seconds * (1 - jitterShareMax * seededShare(`${accountId} ${now}`)))
}

/** Accounts that were connected in one moment are not renewed in one. */
const jitterShareMax = 0.15

/** At least 0 and less than 1, the same for the same text. */
const seededShare = (text: string) => createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32

/** A pair that is younger is not renewed again: whoever was refused was so with the one before. */
const minimumAgeSeconds = 60
const renewedBeforeSeconds = 10 * 60
const renewedBeforeShare = 0.2
/** What ends sooner may have ended when a request arrives. */
const expirySkewSeconds = 30

/** Whether the platform, as far as one knows, takes the access token for the next requests. */
export const isAccessTokenValid = ({ accessEndsAt }: Pick<SealedTokens, 'accessEndsAt'>, now: string): boolean =>
  accessEndsAt === null || accessEndsAt > secondsAfter(now, expirySkewSeconds)

/** Whether the pair should be renewed before it is used: it ends soon, is a week old, or `isNew` asks for one that no request has used. */
export function isRefreshDue(tokens: SealedTokens, { isNew }: { isNew: boolean }, now: string): boolean {
  const { accessEndsAt, storedAt, dueAt = secondsAfter(storedAt, weekSeconds) } = tokens
  if (now < secondsAfter(storedAt, minimumAgeSeconds)) return !isAccessTokenValid(tokens, now)
  if (isNew || dueAt <= now) return true
  if (accessEndsAt === null) return false
  const leftSeconds = (Date.parse(accessEndsAt) - Date.parse(now)) / 1000
  const lifeSeconds = (Date.parse(accessEndsAt) - Date.parse(storedAt)) / 1000
  return leftSeconds < renewedBeforeSeconds || leftSeconds < renewedBeforeShare * lifeSeconds
}

/** As long as the longest renewal may take: after it, whoever had the lease is taken for dead. */
export const refreshLeaseSeconds = 30
/** For so long nobody asks a platform that did not answer. */
export const refreshCooldownSeconds = 10

export const isLeased = ({ leaseUntil }: SealedTokens, now: string) => leaseUntil !== null && leaseUntil > now
