/** Renewing tokens on a real table, with a platform that takes each refresh token once. */
import { setImmediate as turn } from 'node:timers/promises'
import { KMSClient } from '@aws-sdk/client-kms'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { accessToken, noteExpired, type RenewalDoors } from '../../lib/actions/access-token.ts'
import { keepConnection } from '../../lib/actions/keep-connection.ts'
import { openTokens, sealTokens } from '../../lib/actions/sealed-tokens.ts'
import type { Renewal } from '../../lib/connections/index.ts'
import type { Account, Tokens } from '../../lib/domain/profile.ts'
import { NoAnswer, NotSent } from '../../lib/publishers/failures.ts'
import { table, tableName } from '../../lib/store/client.ts'
import { keys } from '../../lib/store/keys.ts'
import { findAccount } from '../../lib/store/profiles.ts'
import { findTokens, replaceTokens } from '../../lib/store/tokens.ts'
import { connectionWith, hour, newAccount, tokensFor } from '../support/accounts.ts'
import { newWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterEach(() => vi.restoreAllMocks())

/** A clock that a test moves; `wait` moves it, or lets others go on. */
function clockAhead(seconds: number) {
  let ahead = seconds
  return {
    now: () => new Date(Date.now() + ahead * 1_000).toISOString(),
    pass: (more: number) => {
      ahead += more
    },
  }
}

/** A platform that renews with the refresh token that it gave last, and refuses any other. */
function platformAfter(tokens: Tokens) {
  let { refresh } = tokens
  const platform = {
    asked: 0,
    renew: async (_account: Account, shown: Tokens): Promise<Renewal> => {
      platform.asked++
      await turn()
      if (shown.refresh !== refresh) return { kind: 'refused' }
      const next = tokensFor(100 * hour)
      refresh = next.refresh
      return { kind: 'renewed', tokens: next }
    },
  }
  return platform
}

const doorsOf = (
  { renew }: Pick<RenewalDoors, 'renew'>,
  clock: ReturnType<typeof clockAhead>,
  wait: RenewalDoors['wait'] = turn,
): RenewalDoors => ({ renew, wait, now: clock.now, patienceMs: () => 8_000 })

const storedTokens = async (account: Account) => openTokens(account, (await findTokens(account))!)
const healthOf = async ({ workspaceId, profileId, platform }: Account) =>
  (await findAccount(workspaceId, profileId, platform))?.health
const usual = { isNew: false }
const another = { isNew: true }

/** An account whose token ends in an hour, and the same 50 minutes later: it is due. */
async function dueAccount(fields: Partial<Tokens> = {}) {
  const tokens = tokensFor(hour, fields)
  const account = await newAccount(world, tokens)
  return { tokens, account, platform: platformAfter(tokens), clock: clockAhead(50 * 60 + 5) }
}

describe('a token that holds', () => {
  it('is given as it is, and stands in the table sealed', async () => {
    const { account, tokens, platform } = await dueAccount()
    expect(await accessToken(account, usual, doorsOf(platform, clockAhead(0)))).toEqual({
      kind: 'token',
      token: tokens.access,
    })
    expect(platform.asked).toBe(0)
    const Key = keys.tokens(account.workspaceId, account.id)
    const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key }))
    expect(Item).toMatchObject({ accountId: account.id, accessEndsAt: tokens.accessEndsAt })
    expect(JSON.stringify(Item)).not.toMatch(/access-|refresh-/)
  })

  it('that ends soon is renewed, and the new pair is kept', async () => {
    const { account, tokens, platform, clock } = await dueAccount()
    const access = await accessToken(account, usual, doorsOf(platform, clock))
    const kept = await storedTokens(account)
    expect(access).toEqual({ kind: 'token', token: kept.access })
    expect(kept.access).not.toBe(tokens.access)
    expect(await findTokens(account)).toMatchObject({ leaseUntil: null, accessEndsAt: kept.accessEndsAt })
  })

  it('is renewed on request, and not again for whoever was refused with the one before', async () => {
    const { account, tokens, platform } = await dueAccount()
    const clock = clockAhead(61)
    const first = await accessToken(account, another, doorsOf(platform, clock))
    expect(first).not.toEqual({ kind: 'token', token: tokens.access })
    clock.pass(50)
    expect(await accessToken(account, another, doorsOf(platform, clock))).toEqual(first)
    expect(platform.asked).toBe(1)
    clock.pass(20)
    expect(await accessToken(account, another, doorsOf(platform, clock))).not.toEqual(first)
    expect(platform.asked).toBe(2)
  })
})

describe('a hundred askers at once', () => {
  it('cause one renewal, and all have its token', async () => {
    const { account, platform, clock } = await dueAccount()
    const doors = doorsOf(platform, clock)
    const all = await Promise.all(Array.from({ length: 100 }, () => accessToken(account, usual, doors)))
    const { access } = await storedTokens(account)
    expect(platform.asked).toBe(1)
    expect(all).toEqual(all.map(() => ({ kind: 'token', token: access })))
    expect(await healthOf(account)).toBe('connected')
  })

  it('cause one question to a platform that refuses', async () => {
    const { account, clock } = await dueAccount()
    const platform = platformAfter(tokensFor(hour))
    const doors = doorsOf(platform, clock)
    const all = await Promise.all(Array.from({ length: 100 }, () => accessToken(account, another, doors)))
    expect(platform.asked).toBe(1)
    expect(all).toEqual(all.map(() => ({ kind: 'expired' })))
  })
})

/** Somebody who holds the lease, has asked the platform, and does nothing more. */
async function dieRenewing(account: Account, wants: { isNew: boolean }, clock: ReturnType<typeof clockAhead>) {
  const asked = Promise.withResolvers<void>()
  const renew = () => {
    asked.resolve()
    return new Promise<Renewal>(() => {})
  }
  void accessToken(account, wants, doorsOf({ renew }, clock))
  await asked.promise
}

describe('whoever renews and dies', () => {
  it('makes the others wait for the end of the lease, and then another one renews', async () => {
    const { account, platform, clock } = await dueAccount()
    await dieRenewing(account, another, clock)
    const passing = async (ms: number) => clock.pass(ms / 1_000)
    const access = await accessToken(account, another, doorsOf(platform, clock, passing))
    expect(access).toMatchObject({ kind: 'later' })
    const { waitSeconds } = access as { waitSeconds: number }
    expect(platform.asked).toBe(0)
    clock.pass(waitSeconds)
    expect(await accessToken(account, another, doorsOf(platform, clock))).toMatchObject({ kind: 'token' })
    expect(platform.asked).toBe(1)
  })

  it('keeps nobody from a token that still holds', async () => {
    const { account, tokens, platform, clock } = await dueAccount()
    await dieRenewing(account, usual, clock)
    const passing = async (ms: number) => clock.pass(ms / 1_000)
    expect(await accessToken(account, usual, doorsOf(platform, clock, passing))).toEqual({
      kind: 'token',
      token: tokens.access,
    })
  })

  it('is late, but kept: its pair is the one that there is, and who was refused meanwhile takes it', async () => {
    const { account, platform, clock } = await dueAccount()
    const [taken, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = doorsOf(
      {
        renew: async (...asked) => {
          const renewal = await platform.renew(...asked)
          taken.resolve()
          await gate.promise
          return renewal
        },
      },
      clock,
    )
    const late = accessToken(account, another, slow)
    await taken.promise
    clock.pass(31)
    const refused = doorsOf(
      {
        renew: async (...asked) => {
          const renewal = await platform.renew(...asked)
          gate.resolve()
          await late
          return renewal
        },
      },
      clock,
    )
    const second = await accessToken(account, another, refused)
    expect(second).toEqual(await late)
    expect(second).toEqual({ kind: 'token', token: (await storedTokens(account)).access })
    expect(platform.asked).toBe(2)
    expect(await healthOf(account)).toBe('connected')
  })
})

describe('a refusal', () => {
  it('expires the account and removes its tokens', async () => {
    const { account, clock } = await dueAccount()
    const doors = doorsOf({ renew: async () => ({ kind: 'refused' }) }, clock)
    expect(await accessToken(account, usual, doors)).toEqual({ kind: 'expired' })
    expect(await healthOf(account)).toBe('expired')
    expect(await findTokens(account)).toBeUndefined()
  })

  it('means nothing where somebody else renewed meanwhile', async () => {
    const { account, platform, clock } = await dueAccount()
    const newer = tokensFor(100 * hour)
    const doors = doorsOf(
      {
        renew: async () => {
          const before = (await findTokens(account))!
          await replaceTokens(before, await sealTokens(account, newer, before, clock.now()))
          return { kind: 'refused' }
        },
      },
      clock,
    )
    expect(await accessToken(account, usual, doors)).toEqual({ kind: 'token', token: newer.access })
    expect(await healthOf(account)).toBe('connected')
    expect(platform.asked).toBe(0)
  })

  it('means nothing where the user connected the account anew meanwhile; the newest pair stays', async () => {
    for (const refuses of [true, false]) {
      const ending = tokensFor(20)
      const account = await newAccount(world, ending)
      const platform = platformAfter(ending)
      const newer = tokensFor(100 * hour)
      const stale = doorsOf(
        {
          renew: async (...asked) => {
            await keepConnection(account.workspaceId, account.profileId, 'twitter', connectionWith(newer))
            return refuses ? { kind: 'refused' } : platform.renew(...asked)
          },
        },
        clockAhead(0),
      )
      expect(await accessToken(account, usual, stale)).toEqual({ kind: 'token', token: newer.access })
      await noteExpired(account)
      expect(await storedTokens(account)).toEqual(newer)
      expect(await healthOf(account)).toBe('connected')
    }
  })

  it('of a token that was the newest says nothing of the one that took its place', async () => {
    const { account, tokens, platform } = await dueAccount()
    await accessToken(account, another, doorsOf(platform, clockAhead(61)))
    await noteExpired(account, tokens.access)
    expect(await healthOf(account)).toBe('connected')
    await noteExpired(account, (await storedTokens(account)).access)
    expect(await healthOf(account)).toBe('expired')
  })

  it('of the newest token is noted once', async () => {
    const { account } = await dueAccount()
    await Promise.all([noteExpired(account), noteExpired(account), noteExpired(account)])
    expect(await healthOf(account)).toBe('expired')
    expect(await accessToken(account, usual)).toEqual({ kind: 'expired' })
  })
})

describe('a platform that does not answer', () => {
  it.each([NotSent, NoAnswer])(
    '%o: leaves a token that holds, and is not asked again for ten seconds',
    async (Silence) => {
      const { account, tokens, platform, clock } = await dueAccount()
      const silent = doorsOf({ renew: async () => Promise.reject(new Silence('away')) }, clock)
      const inTheMeantime = { kind: 'token', token: tokens.access }
      expect(await accessToken(account, usual, silent)).toEqual(inTheMeantime)
      const passing = async () => clock.pass(3)
      expect(await accessToken(account, usual, doorsOf(platform, clock, passing))).toEqual(inTheMeantime)
      expect(platform.asked).toBe(0)
      clock.pass(2)
      expect(await accessToken(account, usual, doorsOf(platform, clock))).not.toEqual(inTheMeantime)
      expect(await healthOf(account)).toBe('connected')
    },
  )

  it('makes whoever needs another token come later', async () => {
    const { account, clock } = await dueAccount()
    const silent = doorsOf({ renew: async () => Promise.reject(new NoAnswer('away')) }, clock)
    expect(await accessToken(account, another, silent)).toEqual({ kind: 'later', waitSeconds: 10 })
    clock.pass(hour)
    expect(await accessToken(account, usual, silent)).toEqual({ kind: 'later', waitSeconds: 10 })
    expect(await healthOf(account)).toBe('connected')
  })
})

describe('a platform that refuses the deployment', () => {
  const refused = async () => Promise.reject(new Error('The platform refuses the client of this deployment.'))

  it('leaves a token that holds, and is not asked again for ten seconds', async () => {
    const { account, tokens, platform, clock } = await dueAccount()
    const inTheMeantime = { kind: 'token', token: tokens.access }
    expect(await accessToken(account, usual, doorsOf({ renew: refused }, clock))).toEqual(inTheMeantime)
    const passing = async () => clock.pass(3)
    expect(await accessToken(account, usual, doorsOf(platform, clock, passing))).toEqual(inTheMeantime)
    expect(platform.asked).toBe(0)
  })

  it('is a fault to whoever needs another token', async () => {
    const { account, clock } = await dueAccount()
    await expect(accessToken(account, another, doorsOf({ renew: refused }, clock))).rejects.toThrow(
      /refuses the client/,
    )
    clock.pass(hour)
    await expect(accessToken(account, usual, doorsOf({ renew: refused }, clock))).rejects.toThrow(/refuses the client/)
    expect(await healthOf(account)).toBe('connected')
  })
})

describe('without a refresh token', () => {
  it('the access token is used to its end; then the account is expired', async () => {
    const { account, tokens, platform, clock } = await dueAccount({ refresh: null })
    const doors = doorsOf(platform, clock)
    expect(await accessToken(account, usual, doors)).toEqual({ kind: 'token', token: tokens.access })
    clock.pass(10 * 60)
    expect(await accessToken(account, usual, doors)).toEqual({ kind: 'expired' })
    expect(await healthOf(account)).toBe('expired')
    expect(platform.asked).toBe(0)
  })

  it('a refused one expires the account', async () => {
    const account = await newAccount(world, tokensFor(null, { refresh: null }))
    expect(await accessToken(account, another, doorsOf(platformAfter(tokensFor(hour)), clockAhead(61)))).toEqual({
      kind: 'expired',
    })
    expect(await healthOf(account)).toBe('expired')
  })
})

it('a pair that was got is kept, also where sealing it fails twice', async () => {
  const { account, platform, clock } = await dueAccount()
  const doors = doorsOf(
    {
      renew: async (...asked) => {
        const busy = new Error('busy')
        vi.spyOn(KMSClient.prototype, 'send').mockRejectedValueOnce(busy).mockRejectedValueOnce(busy)
        return platform.renew(...asked)
      },
    },
    clock,
  )
  const access = await accessToken(account, usual, doors)
  expect(access).toEqual({ kind: 'token', token: (await storedTokens(account)).access })
})

it('a pair that came late in its lease, and is slow to seal, is not lost to another asker who shows the old one', async () => {
  const { account, platform, clock } = await dueAccount()
  const { send } = KMSClient.prototype
  let meanwhile: unknown
  const sealsSlowly = async function (this: KMSClient, ...args: Parameters<typeof send>) {
    clock.pass(6)
    meanwhile = await accessToken(account, another, { ...doorsOf(platform, clock), patienceMs: () => 0 })
    return send.apply(this, args)
  }
  const slow = async (...asked: Parameters<RenewalDoors['renew']>) => {
    clock.pass(26)
    const renewal = await platform.renew(...asked)
    vi.spyOn(KMSClient.prototype, 'send').mockImplementationOnce(sealsSlowly as typeof send)
    return renewal
  }
  const access = await accessToken(account, usual, doorsOf({ renew: slow }, clock))
  expect(meanwhile).toMatchObject({ kind: 'later' })
  expect(access).toEqual({ kind: 'token', token: (await storedTokens(account)).access })
  expect(await healthOf(account)).toBe('connected')
})

it('a pair that cannot be kept at once keeps its lease: nobody shows the token that is used up', async () => {
  const { account, platform, clock } = await dueAccount()
  const others: unknown[] = []
  const busy = async (...asked: Parameters<RenewalDoors['renew']>) => {
    vi.spyOn(KMSClient.prototype, 'send').mockRejectedValueOnce(new Error('busy'))
    clock.pass(20)
    return platform.renew(...asked)
  }
  const meanwhile = async () => {
    clock.pass(15)
    others.push(await accessToken(account, another, { ...doorsOf(platform, clock), patienceMs: () => 0 }))
  }
  const access = await accessToken(account, usual, doorsOf({ renew: busy }, clock, meanwhile))
  expect(others).toEqual([{ kind: 'later', waitSeconds: 15 }])
  expect(access).toEqual({ kind: 'token', token: (await storedTokens(account)).access })
  expect(await healthOf(account)).toBe('connected')
})
