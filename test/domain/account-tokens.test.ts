/** The rules of tokens: when a pair is renewed, how long it holds, and what names it. */
import { describe, expect, it } from 'vitest'
import { holds, isDue, isLeased, type SealedTokens, storedPair, tokensContext } from '../../lib/domain/tokens.ts'
import { at } from './support.ts'

const owner = { workspaceId: 'wsp_1', id: 'acc_1', platform: 'twitter' as const }
const hour = 3_600
const day = 24 * hour
/** Got at 0, with the second in which it ends. */
const pairUntil = (second: number | null): SealedTokens =>
  storedPair(owner, undefined, { sealed: 'x', tokens: { accessEndsAt: second === null ? null : at(second) } }, at(0))
const dueAt = (second: number, ends: number | null, isNew = false) => isDue(pairUntil(ends), { isNew }, at(second))

describe('a pair is renewed', () => {
  it('when less than a fifth of its life is left', () => {
    expect(dueAt(48 * day - 1, 60 * day)).toBe(false)
    expect(dueAt(48 * day + 1, 60 * day)).toBe(true)
  })

  it('when less than ten minutes are left', () => {
    expect(dueAt(30 * 60 - 1, 40 * 60)).toBe(false)
    expect(dueAt(30 * 60 + 1, 40 * 60)).toBe(true)
    expect(dueAt(3 * hour, 2 * hour)).toBe(true)
  })

  it('never where it does not end, unless another one is asked for', () => {
    expect(dueAt(1_000 * day, null)).toBe(false)
    expect(dueAt(1_000 * day, null, true)).toBe(true)
  })

  it('on request, but not in its first minute: then it is another one already', () => {
    expect(dueAt(59, 2 * hour, true)).toBe(false)
    expect(dueAt(60, 2 * hour, true)).toBe(true)
  })

  it('not in its first minute either where it lives for minutes only, or askers would renew one after the other', () => {
    expect(dueAt(59, 300)).toBe(false)
    expect(dueAt(60, 300)).toBe(true)
  })

  it('at once where it ended in its first minute', () => {
    expect(dueAt(40, 45)).toBe(true)
  })
})

describe('a pair', () => {
  it('holds until shortly before its end', () => {
    expect(holds(pairUntil(hour), at(hour - 31))).toBe(true)
    expect(holds(pairUntil(hour), at(hour - 30))).toBe(false)
    expect(holds(pairUntil(null), at(1_000 * day))).toBe(true)
  })

  it('is leased up to a time', () => {
    const leased = { ...pairUntil(null), leaseUntil: at(30) }
    expect([isLeased(leased, at(29)), isLeased(leased, at(30)), isLeased(pairUntil(null), at(0))]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('has a number that grows, also where the row was gone meanwhile or the clock stood still', () => {
    const next = (before: SealedTokens | undefined, second: number) =>
      storedPair(owner, before, { sealed: 'x', tokens: { accessEndsAt: null } }, at(second)).version
    const first = pairUntil(null)
    expect(next(first, 0)).toBe(first.version + 1)
    expect(next({ ...first, version: first.version + 5 }, 0)).toBe(first.version + 6)
    expect(next(undefined, 1)).toBeGreaterThan(first.version + 5)
  })

  it('belongs to its account and its platform', () => {
    expect(tokensContext(owner)).toEqual({
      purpose: 'account',
      workspaceId: 'wsp_1',
      accountId: 'acc_1',
      platform: 'twitter',
    })
  })
})
