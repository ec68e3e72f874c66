/** Tokens of accounts without posts, on a real table: what the worker does for them over days, weeks and months. */
import { setImmediate as turn } from 'node:timers/promises'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { handler } from '../../../functions/workers/refresh-tokens.ts'
import { reportedHealth } from '../../../lib/domain/accounts/account-health.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import type { Account } from '../../../lib/domain/records/account.ts'
import type { SealedTokens, Tokens } from '../../../lib/domain/records/tokens.ts'
import { log } from '../../../lib/log.ts'
import type { RefreshResult } from '../../../lib/platforms/connector.ts'
import { NoResponse } from '../../../lib/platforms/failures.ts'
import { keys } from '../../../lib/store/core/keys.ts'
import { listDue } from '../../../lib/store/due-index.ts'
import { findAccount } from '../../../lib/store/profiles.ts'
import { findTokens, replaceTokens } from '../../../lib/store/tokens.ts'
import { loadAccessToken } from '../../../lib/use-cases/accounts/access-token.ts'
import {
  refreshExpiringTokens,
  type TokenRefreshDeps,
} from '../../../lib/use-cases/accounts/refresh-expiring-tokens.ts'
import { unsealTokens } from '../../../lib/use-cases/accounts/sealed-tokens.ts'
import { connectSandboxAccount } from '../../../local/connect-sandbox-account.ts'
import { connectionWith, givenAccount, givenProfile, hourSeconds, tokensFor } from '../../support/given/accounts.ts'
import { newWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const [quarter, day] = [15 * 60, 24 * hourSeconds]
const keyOf = ({ workspaceId, id }: Account) => keys.tokens(workspaceId, id)
const current = ({ workspaceId, profileId, platform }: Account) => findAccount(workspaceId, profileId, platform)

const isTaken = async () => connectionWith(tokensFor(null)).identity

/** A simulated clock and the worker: each move of the clock processes what the due index names by then. */
function timeFrom(
  account: Account,
  renew: TokenRefreshDeps['refresh'],
  identify: TokenRefreshDeps['identify'] = isTaken,
) {
  let ahead = 0
  const now = () => new Date(Date.now() + ahead * 1_000).toISOString()
  const doors: TokenRefreshDeps = { refresh: renew, identify, now, wait: turn, waitMsMax: () => 0 }
  const { pk, sk } = keyOf(account)
  const isListed = async () => (await listDue(now(), 1_000, ['tokens'])).some((key) => key.pk === pk && key.sk === sk)
  return {
    doors,
    now,
    isListed,
    async tick() {
      if (await isListed()) await refreshExpiringTokens({ pk, sk }, doors)
    },
    async pass(seconds: number, step = seconds) {
      for (const end = ahead + seconds; ahead < end; ) {
        ahead += step
        await this.tick()
      }
    },
  }
}

/** Renews a token with itself for 60 days, as Threads does: not within its first day, and not after its expiry. */
function threads(tokens: Tokens) {
  let [token, from, asked] = [tokens.refresh, Date.now(), 0]
  return {
    get asked() {
      return asked
    },
    renewAt:
      (now: () => string) =>
      async (_account: Account, shown: Tokens): Promise<RefreshResult> => {
        asked++
        const age = (Date.parse(now()) - from) / 1_000
        if (shown.refresh !== token || age < day || age > 60 * day) return { kind: 'refused' }
        const next = sixtyDays(now())
        ;[token, from] = [next.refresh, Date.parse(now())]
        return { kind: 'renewed', tokens: next }
      },
  }
}

function sixtyDays(now: string): Tokens {
  const { access } = tokensFor(null)
  const endsAt = secondsAfter(now, 60 * day)
  return { access, accessEndsAt: endsAt, refresh: access, refreshEndsAt: endsAt }
}

const nobody = async (): Promise<RefreshResult> => {
  throw new Error('Nobody is asked in this test.')
}

describe('an account without posts', () => {
  it('is renewed week by week, and stays connected far longer than its first token is valid', async () => {
    const tokens = sixtyDays(new Date().toISOString())
    const account = await givenAccount(world, tokens, 'threads')
    const platform = threads(tokens)
    const time = timeFrom(account, (...asked) => platform.renewAt(time.now)(...asked))
    await time.pass(130 * day, day)
    const { health, endsAt } = (await current(account))!
    expect(health).toBe('connected')
    expect(platform.asked).toBeGreaterThanOrEqual(130 / 8)
    expect(platform.asked).toBeLessThanOrEqual(130 / 6)
    // The warning about its expiry is cleared.
    expect(Date.parse(endsAt!)).toBeGreaterThan(Date.parse(secondsAfter(time.now(), 52 * day)))
    expect(reportedHealth((await current(account))!, time.now())).toBe('connected')
  })

  it('is marked expired when its platform refuses, and is no longer checked', async () => {
    const account = await givenAccount(world, tokensFor(2 * hourSeconds))
    const time = timeFrom(account, async () => ({ kind: 'refused' }))
    await time.pass(7 * day)
    expect((await current(account))!.health).toBe('expired')
    await time.pass(30 * day)
    expect(await time.isListed()).toBe(false)
  })

  it('whose token cannot be renewed warns in its last week that it must be reconnected, and expires on time', async () => {
    const tokens = tokensFor(60 * day, { refresh: null })
    const account = await givenAccount(world, tokens, 'linkedin')
    const time = timeFrom(account, nobody)
    const reported = async () => reportedHealth((await current(account))!, time.now())
    await time.pass(52 * day, day)
    expect(await reported()).toBe('connected')
    await time.pass(day + hourSeconds)
    expect(await reported()).toBe('expiring')
    expect(await loadAccessToken(account, { isNew: false }, time.doors)).toMatchObject({ kind: 'token' })
    await time.pass(7 * day)
    expect([await reported(), await findTokens(account)]).toEqual(['expired', undefined])
  })

  it('warns as well when its platform renews the token without extending its expiry', async () => {
    const end = secondsAfter(new Date().toISOString(), 20 * day)
    const account = await givenAccount(world, tokensFor(hourSeconds, { refreshEndsAt: end }), 'tiktok')
    let asked = 0
    const time = timeFrom(account, async () => {
      asked++
      if (time.now() >= end) return { kind: 'refused' }
      return { kind: 'renewed', tokens: tokensFor(hourSeconds, { refreshEndsAt: end }) }
    })
    await time.pass(13 * day + hourSeconds, 8 * hourSeconds)
    expect(reportedHealth((await current(account))!, time.now())).toBe('expiring')
    await time.pass(8 * day, 8 * hourSeconds)
    expect((await current(account))!.health).toBe('expired')
    expect(asked).toBeLessThan(16)
  })
})

describe('a token that does not expire and cannot be renewed', () => {
  const pageToken = () => tokensFor(null, { refresh: null })

  it('is verified with its platform once a week, because it may have been revoked', async () => {
    const account = await givenAccount(world, pageToken(), 'facebook')
    let [asked, isBack] = [0, false]
    const time = timeFrom(account, nobody, async () => {
      asked++
      return isBack ? null : isTaken()
    })
    await time.pass(60 * day, day)
    expect(asked).toBeGreaterThanOrEqual(60 / 8)
    expect(asked).toBeLessThanOrEqual(60 / 6)
    expect((await current(account))!.health).toBe('connected')
    isBack = true
    await time.pass(8 * day, day)
    expect([(await current(account))!.health, await findTokens(account)]).toEqual(['expired', undefined])
  })

  it('stays when the platform does not respond, and is verified again after hours', async () => {
    const account = await givenAccount(world, pageToken(), 'facebook')
    let asked = 0
    const time = timeFrom(account, nobody, async () => {
      asked++
      throw new NoResponse('away')
    })
    await time.pass(7 * day, 6 * hourSeconds)
    const before = asked
    await time.pass(day, quarter * 2)
    expect(asked - before).toBeGreaterThanOrEqual(1)
    expect(asked - before).toBeLessThanOrEqual(6)
    expect((await current(account))!.health).toBe('connected')
  })
})

describe('a token renewal', () => {
  const dueAfter = 7 * day

  it('is requested once by two workers and a concurrent post', async () => {
    const account = await givenAccount(world, tokensFor(2 * hourSeconds))
    let asked = 0
    const time = timeFrom(account, async () => {
      asked++
      await turn()
      return { kind: 'renewed', tokens: tokensFor(100 * day) }
    })
    time.tick = async () => {}
    await time.pass(dueAfter)
    const doors = { ...time.doors, patienceMs: () => 8_000 }
    await Promise.all([
      refreshExpiringTokens(keyOf(account), doors),
      refreshExpiringTokens(keyOf(account), doors),
      loadAccessToken(account, { isNew: false }, doors),
    ])
    expect(asked).toBe(1)
    expect(await time.isListed()).toBe(false)
  })

  it('without a response is retried after hours, not at every tick', async () => {
    const account = await givenAccount(world, tokensFor(30 * day))
    const before = (await findTokens(account))!
    let [asked, isAway] = [0, true]
    const time = timeFrom(account, async () => {
      asked++
      if (isAway) throw new NoResponse('away')
      return { kind: 'renewed', tokens: tokensFor(30 * day) }
    })
    await time.pass(dueAfter, 6 * hourSeconds)
    await time.pass(day, quarter)
    expect(asked).toBeGreaterThanOrEqual(2)
    expect(asked).toBeLessThanOrEqual(6)
    expect((await current(account))!.health).toBe('connected')
    isAway = false
    await time.pass(day, hourSeconds)
    expect(await time.isListed()).toBe(false)
    expect((await findTokens(account))!.version).toBeGreaterThan(before.version)
  })

  it('that crashes midway is not restarted at every tick', async () => {
    const account = await givenAccount(world, tokensFor(2 * hourSeconds))
    const begun = Promise.withResolvers<void>()
    const time = timeFrom(account, () => {
      begun.resolve()
      return new Promise<RefreshResult>(() => {})
    })
    const { tick } = time
    time.tick = async () => {}
    await time.pass(dueAfter)
    void tick()
    await begun.promise
    expect(await time.isListed()).toBe(false)
    await time.pass(day)
    expect(await time.isListed()).toBe(true)
  })

  it('that another worker handled in between is rescheduled to its own time', async () => {
    const account = await givenAccount(world, tokensFor(2 * hourSeconds))
    const time = timeFrom(account, nobody)
    await refreshExpiringTokens(keyOf(account), time.doors)
    await time.pass(5 * day)
    expect(await time.isListed()).toBe(false)
  })

  it('that fails because the deployment is refused logs a fault, and keeps the valid token', async () => {
    const error = vi.spyOn(log, 'error').mockImplementation(() => {})
    const tokens = tokensFor(30 * day)
    const account = await givenAccount(world, tokens)
    const time = timeFrom(account, async () => Promise.reject(new Error('The platform refuses the client.')))
    await time.pass(dueAfter)
    const reported = error.mock.calls.map(([message]) => message)
    error.mockRestore()
    expect(reported).toEqual(['tokens.not-renewed'])
    expect(await time.isListed()).toBe(false)
    expect((await current(account))!.health).toBe('connected')
    expect(await unsealTokens(account, (await findTokens(account))!)).toEqual(tokens)
  })
})

/** As if a week had passed. */
async function becomesDue(account: Account, fields: Partial<SealedTokens> = {}): Promise<SealedTokens> {
  const pair = (await findTokens(account))!
  const ago = secondsAfter(new Date().toISOString(), -hourSeconds)
  await replaceTokens(pair, { ...pair, storedAt: secondsAfter(ago, -7 * day), dueAt: ago, ...fields })
  return pair
}

it('the worker renews the due tokens at their platforms, despite the failures of others', async () => {
  const error = vi.spyOn(log, 'error').mockImplementation(() => {})
  const { id, workspaceId } = await givenProfile(world)
  const account = await connectSandboxAccount(workspaceId, id, 'twitter')
  const broken = await givenAccount(world, tokensFor(hourSeconds))
  const before = await becomesDue(account)
  await becomesDue(broken, { sealed: 'broken' })
  const { looked, failed } = await handler()
  expect(looked).toBeGreaterThanOrEqual(2)
  expect(failed).toBeGreaterThanOrEqual(1)
  expect(error.mock.calls.map(([message]) => message)).toContain('renewal.failed')
  error.mockRestore()
  // The failed ones have backed off as well.
  const due = await listDue(new Date().toISOString(), 1_000, ['tokens'])
  expect(due.map(({ sk }) => sk)).not.toEqual(expect.arrayContaining([broken.id]))
  const after = (await findTokens(account))!
  expect(after.version).toBeGreaterThan(before.version)
  expect(after.dueAt! > secondsAfter(new Date().toISOString(), 5 * day)).toBe(true)
  expect(await loadAccessToken(account, { isNew: false })).toEqual({
    kind: 'token',
    token: (await unsealTokens(account, after)).access,
  })
})
