/** Rules of token pairs: when a pair is renewed, how long it is valid, and how it is versioned and named. */
import { describe, expect, it } from 'vitest'
import { reportedHealth } from '../../../lib/domain/accounts/account-health.ts'
import { hasExpiryChanged } from '../../../lib/domain/accounts/account-lifecycle.ts'
import {
  authorizationEndsAt,
  isAccessTokenValid,
  isLeased,
  isRefreshDue,
  newSealedTokens,
  nextRetryAt,
  tokensSealingContext,
} from '../../../lib/domain/accounts/token-refresh.ts'
import type { SealedTokens, Tokens } from '../../../lib/domain/records/tokens.ts'
import { at } from '../support/videos.ts'

const owner = { workspaceId: 'wsp_1', id: 'acc_1', platform: 'twitter' as const }
const tokensUsual = { accessEndsAt: null, refresh: null, refreshEndsAt: null }
const hour = 3_600
const day = 24 * hour
/** Obtained at 0. */
const pairOf = (tokens: Partial<Tokens>, id = owner.id) =>
  newSealedTokens({ ...owner, id }, undefined, { sealed: 'x', tokens: { ...tokensUsual, ...tokens } }, at(0))
/** With its expiry in seconds. */
const pairUntil = (second: number | null): SealedTokens => ({
  ...pairOf({ accessEndsAt: second === null ? null : at(second) }),
  dueAt: at(10_000 * day),
})
const dueAt = (second: number, ends: number | null, isNew = false) =>
  isRefreshDue(pairUntil(ends), { isNew }, at(second))

describe('a token pair is renewed', () => {
  it('when less than a fifth of its lifetime is left', () => {
    expect(dueAt(48 * day - 1, 60 * day)).toBe(false)
    expect(dueAt(48 * day, 60 * day)).toBe(false)
    expect(dueAt(48 * day + 1, 60 * day)).toBe(true)
  })

  it('when less than ten minutes are left', () => {
    expect(dueAt(30 * 60 - 1, 40 * 60)).toBe(false)
    expect(dueAt(30 * 60, 40 * 60)).toBe(false)
    expect(dueAt(30 * 60 + 1, 40 * 60)).toBe(true)
    expect(dueAt(3 * hour, 2 * hour)).toBe(true)
  })

  it('never when it does not expire, unless a new one is requested', () => {
    expect(dueAt(1_000 * day, null)).toBe(false)
    expect(dueAt(1_000 * day, null, true)).toBe(true)
  })

  it('on request, but not in its first minute, since it is already a new one', () => {
    expect(dueAt(59, 2 * hour, true)).toBe(false)
    expect(dueAt(60, 2 * hour, true)).toBe(true)
  })

  it('never in its first minute, even when it lives for minutes only; otherwise callers would renew it one after the other', () => {
    expect(dueAt(59, 300)).toBe(false)
    expect(dueAt(60, 300)).toBe(true)
  })

  it('immediately when it expires in its first minute', () => {
    expect(dueAt(40, 45)).toBe(true)
  })
})

/** Days until the next check of each of a hundred pairs obtained at the same moment. */
const daysUntilLook = (tokens: Partial<Tokens>) =>
  Array.from({ length: 100 }, (_, index) => pairOf(tokens, `acc_${index}`)).map(
    ({ dueAt: due }) => (Date.parse(due!) - Date.parse(at(0))) / 1000 / day,
  )
const between = (days: number[], from: number, to: number) => {
  expect(Math.min(...days)).toBeGreaterThanOrEqual(from)
  expect(Math.max(...days)).toBeLessThanOrEqual(to)
}

describe('without any posts, a token pair', () => {
  const renewable = (ends: number | null) => ({ refresh: 'r', refreshEndsAt: ends === null ? null : at(ends) })

  it('is renewed within a week when it can be, with the renewals spread over time', () => {
    for (const ends of [null, 60 * day, 365 * day]) {
      const days = daysUntilLook(renewable(ends))
      between(days, 5.9, 7)
      expect(new Set(days.map((count) => Math.round(count * 24))).size).toBeGreaterThan(10)
    }
  })

  it('that expires within two weeks is renewed halfway through its lifetime, at most about once a day', () => {
    between(daysUntilLook(renewable(10 * day)), 4.25, 5)
    between(daysUntilLook(renewable(hour)), 0.85, 1)
  })

  it('that cannot be renewed is checked within a week, and when it expires', () => {
    for (const ends of [60 * day, null])
      between(daysUntilLook({ accessEndsAt: ends === null ? null : at(ends) }), 5.9, 7)
    for (const ends of [4 * day, hour]) expect(pairOf({ accessEndsAt: at(ends) }).dueAt).toBe(at(ends))
  })

  it('is renewed by its next user if it was not renewed before; one of an earlier version after a week', () => {
    const pair = pairOf(renewable(60 * day))
    expect([at(5.8 * day), at(7 * day)].map((now) => isRefreshDue(pair, { isNew: false }, now))).toEqual([false, true])
    const { dueAt: _, ...older } = pair
    expect([at(7 * day - 1), at(7 * day)].map((now) => isRefreshDue(older, { isNew: false }, now))).toEqual([
      false,
      true,
    ])
  })

  it('is retried after about an hour, then at growing intervals, at least once a day', () => {
    const pair = { ...pairOf({}), dueAt: at(0) }
    const hoursAfter = (second: number) =>
      (Date.parse(nextRetryAt(pair, at(second))) - Date.parse(at(second))) / 1000 / hour
    between([0, 60, hour].map(hoursAfter), 0.85, 1)
    between([hoursAfter(6 * hour)], 5.1, 6)
    between([hoursAfter(100 * day)], 20.4, 24)
  })
})

describe('of one account at one time, the wait', () => {
  // The jitter is the same: what is left is the wait without it.
  const waitOf = (time: string) => Date.parse(time) - Date.parse(at(0))
  const retryAfter = (second: number) => waitOf(nextRetryAt({ ...pairOf({}), dueAt: at(-second) }, at(0)))
  const renewalOf = (ends: number | null) =>
    waitOf(pairOf({ refresh: 'r', refreshEndsAt: ends === null ? null : at(ends) }).dueAt!)

  it('of a retry is as long as the refresh is overdue, from one hour to one day', () => {
    const perHour = retryAfter(2 * hour) / 2
    expect(retryAfter(0) / perHour).toBeCloseTo(1, 4)
    expect(retryAfter(1.01 * hour) / perHour).toBeCloseTo(1.01, 4)
    expect(retryAfter(23 * hour) / perHour).toBeCloseTo(23, 4)
    expect(retryAfter(25 * hour) / perHour).toBeCloseTo(24, 4)
    const { dueAt: _, ...older } = pairOf({})
    expect(waitOf(nextRetryAt(older, at(0))) / perHour).toBeCloseTo(1, 4)
  })

  it('of a renewal is half a lifetime, from one day to one week', () => {
    const perDay = renewalOf(10 * day) / 5
    expect(renewalOf(hour) / perDay).toBeCloseTo(1, 4)
    expect(renewalOf(13.9 * day) / perDay).toBeCloseTo(6.95, 4)
    expect(renewalOf(14.1 * day) / perDay).toBeCloseTo(7, 4)
    expect(renewalOf(null) / perDay).toBeCloseTo(7, 4)
  })
})

describe('the expiry of a connection', () => {
  it('is that of the refresh token, and without one that of the access token', () => {
    expect(authorizationEndsAt({ accessEndsAt: at(1), refresh: 'r', refreshEndsAt: at(2) })).toBe(at(2))
    expect(authorizationEndsAt({ accessEndsAt: at(1), refresh: 'r', refreshEndsAt: null })).toBeNull()
    expect(authorizationEndsAt({ accessEndsAt: at(1), refresh: null, refreshEndsAt: null })).toBe(at(1))
  })

  it('is reported in its last week, until the account is expired', () => {
    const shownHealth = (health: 'connected' | 'expired', endsAt: string | null | undefined) =>
      reportedHealth({ health, ...(endsAt !== undefined && { endsAt }) }, at(0))
    expect(shownHealth('connected', at(7 * day + 1))).toBe('connected')
    expect(shownHealth('connected', at(7 * day))).toBe('expiring')
    expect(shownHealth('connected', at(-1))).toBe('expiring')
    expect(shownHealth('expired', at(day))).toBe('expired')
    for (const none of [null, undefined]) expect(shownHealth('connected', none)).toBe('connected')
  })

  it('is reported as changed when it moves by more than a day', () => {
    expect(hasExpiryChanged(at(0), at(day))).toBe(false)
    expect(hasExpiryChanged(at(0), at(day + 1))).toBe(true)
    expect(hasExpiryChanged(at(day + 1), at(0))).toBe(true)
    expect([
      hasExpiryChanged(undefined, null),
      hasExpiryChanged(null, null),
      hasExpiryChanged(null, at(0)),
      hasExpiryChanged(at(0), null),
    ]).toEqual([false, false, true, true])
  })
})

describe('a token pair', () => {
  it('is valid until shortly before its expiry', () => {
    expect(isAccessTokenValid(pairUntil(hour), at(hour - 31))).toBe(true)
    expect(isAccessTokenValid(pairUntil(hour), at(hour - 30))).toBe(false)
    expect(isAccessTokenValid(pairUntil(null), at(1_000 * day))).toBe(true)
  })

  it('is leased until a given time', () => {
    const leased = { ...pairUntil(null), leaseUntil: at(30) }
    expect([isLeased(leased, at(29)), isLeased(leased, at(30)), isLeased(pairUntil(null), at(0))]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('has a version that always grows, even when the row was deleted meanwhile or the clock stood still', () => {
    const next = (before: SealedTokens | undefined, second: number) =>
      newSealedTokens(owner, before, { sealed: 'x', tokens: tokensUsual }, at(second)).version
    const first = pairUntil(null)
    expect(next(first, 0)).toBe(first.version + 1)
    expect(next({ ...first, version: first.version + 5 }, 0)).toBe(first.version + 6)
    expect(next(undefined, 1)).toBeGreaterThan(first.version + 5)
  })

  it('is bound to its account and its platform', () => {
    expect(tokensSealingContext(owner)).toEqual({
      purpose: 'account',
      workspaceId: 'wsp_1',
      accountId: 'acc_1',
      platform: 'twitter',
    })
  })
})
