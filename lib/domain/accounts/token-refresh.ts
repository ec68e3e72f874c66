/**
 * When stored OAuth tokens are refreshed: tokens are sealed, their schedule is stored in clear. A platform may revoke a
 * refresh token once it is used, so that a lease lets only one process refresh at a time.
 */
import { createHash } from 'node:crypto'
import { earliest, secondsAfter, secondsBetween } from '../core/time.ts'
import type { Account } from '../records/account.ts'
import type { SealedTokens, Tokens } from '../records/tokens.ts'

/** Encryption context: tokens cannot be decrypted for another account. */
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

/** The stored form of new tokens; `before` are the tokens that they replace in the same row. */
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

/** When the user has to reconnect unless the tokens are refreshed before: expiry of the refresh token, or of a lone access token. */
export const authorizationEndsAt = ({ accessEndsAt, refresh, refreshEndsAt }: Omit<Tokens, 'access'>): string | null =>
  refresh === null ? accessEndsAt : refreshEndsAt

const [daySeconds, weekSeconds] = [24 * 60 * 60, 7 * 24 * 60 * 60]

/**
 * Refreshes weekly even if nothing is published: unused refresh tokens expire (docs/guides/connecting.md), and a revoked
 * permission shows before a post fails. Tokens that expire sooner are refreshed at half their lifetime, at most daily: some
 * platforms do not extend the expiry. Tokens without a refresh token are verified weekly, and when they expire.
 */
export function nextRefreshAt(tokens: Omit<Tokens, 'access'>, accountId: string, now: string): string {
  const endsAt = authorizationEndsAt(tokens)
  const halfLife = endsAt === null || tokens.refresh === null ? weekSeconds : secondsBetween(now, endsAt) / 2
  const seconds = Math.min(Math.max(halfLife, daySeconds), weekSeconds)
  const at = secondsAfter(now, seconds * (1 - jitterShareMax * seededShare(`${accountId} ${now}`)))
  return tokens.refresh === null && endsAt !== null ? earliest(at, endsAt) : at
}

/** Backoff of failed refreshes: waits as long as they have been overdue, at least an hour and at most a day. */
export const nextRetryAt = ({ accountId, dueAt }: SealedTokens, now: string): string => {
  const overdueSeconds = secondsBetween(dueAt ?? now, now)
  const seconds = Math.min(Math.max(overdueSeconds, 60 * 60), daySeconds)
  return secondsAfter(now, seconds * (1 - jitterShareMax * seededShare(`${accountId} ${now}`)))
}

/** Jitter: accounts that were connected together are not refreshed together. */
const jitterShareMax = 0.15

/** At least 0 and less than 1, the same for the same text. */
const seededShare = (text: string) => createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32

/** Younger tokens are not refreshed again: a rejected request used the previous ones. */
const minimumAgeSeconds = 60
const refreshAheadSeconds = 10 * 60
const refreshAheadShare = 0.2
/** A token that expires sooner may be expired when the request arrives. */
const expirySkewSeconds = 30

/** Whether the access token is expected to stay valid for the next requests. */
export const isAccessTokenValid = ({ accessEndsAt }: Pick<SealedTokens, 'accessEndsAt'>, now: string): boolean =>
  accessEndsAt === null || accessEndsAt > secondsAfter(now, expirySkewSeconds)

/** Whether to refresh the tokens before use: they expire soon, are due, or `isNew` demands unused ones. */
export function isRefreshDue(tokens: SealedTokens, { isNew }: { isNew: boolean }, now: string): boolean {
  const { accessEndsAt, storedAt, dueAt = secondsAfter(storedAt, weekSeconds) } = tokens
  if (now < secondsAfter(storedAt, minimumAgeSeconds)) return !isAccessTokenValid(tokens, now)
  if (isNew || dueAt <= now) return true
  if (accessEndsAt === null) return false
  const remainingSeconds = (Date.parse(accessEndsAt) - Date.parse(now)) / 1000
  const lifetimeSeconds = (Date.parse(accessEndsAt) - Date.parse(storedAt)) / 1000
  return remainingSeconds < refreshAheadSeconds || remainingSeconds < refreshAheadShare * lifetimeSeconds
}

/** The longest that a refresh may take; then the holder of the lease is presumed dead. */
export const refreshLeaseSeconds = 30
/** Pause after a platform did not respond. */
export const refreshCooldownSeconds = 10

export const isLeased = ({ leaseUntil }: SealedTokens, now: string) => leaseUntil !== null && leaseUntil > now
