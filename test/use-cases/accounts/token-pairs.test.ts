/** A new token pair is the only valid one: a crash, a slow key service or a late process must not lose it. */
import { KMSClient } from '@aws-sdk/client-kms'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Account } from '../../../lib/domain/records/account.ts'
import type { RefreshResult } from '../../../lib/platforms/connector.ts'
import { type AccessTokenDeps, loadAccessToken } from '../../../lib/use-cases/accounts/access-token.ts'
import {
  anyToken,
  freshToken,
  healthOf,
  type OffsetClock,
  renewalDeps,
  storedTokens,
  useRenewableAccounts,
} from '../../support/given/renewable-accounts.ts'

const accounts = useRenewableAccounts()
afterEach(() => vi.restoreAllMocks())

/** Holds the lease, has sent the request to the platform, and stops there. */
async function dieRenewing(account: Account, wants: { isNew: boolean }, clock: OffsetClock) {
  const asked = Promise.withResolvers<void>()
  const renew = () => {
    asked.resolve()
    return new Promise<RefreshResult>(() => {})
  }
  void loadAccessToken(account, wants, renewalDeps({ refresh: renew }, clock))
  await asked.promise
}

describe('a process that crashes during a refresh', () => {
  it('makes the others wait until the lease expires, and then another one refreshes', async () => {
    const { account, platform, clock } = await accounts.due()
    await dieRenewing(account, freshToken, clock)
    const passing = async (ms: number) => clock.pass(ms / 1_000)
    const access = await loadAccessToken(account, freshToken, renewalDeps(platform, clock, passing))
    expect(access).toMatchObject({ kind: 'later' })
    const { waitSeconds } = access as { waitSeconds: number }
    expect(platform.asked).toBe(0)
    clock.pass(waitSeconds)
    expect(await loadAccessToken(account, freshToken, renewalDeps(platform, clock))).toMatchObject({ kind: 'token' })
    expect(platform.asked).toBe(1)
  })

  it('does not block callers whose token is still valid', async () => {
    const { account, tokens, platform, clock } = await accounts.due()
    await dieRenewing(account, anyToken, clock)
    const passing = async (ms: number) => clock.pass(ms / 1_000)
    expect(await loadAccessToken(account, anyToken, renewalDeps(platform, clock, passing))).toEqual({
      kind: 'token',
      token: tokens.access,
    })
  })

  it('late but alive stores its pair, the only valid one, and callers that were refused meanwhile use it', async () => {
    const { account, platform, clock } = await accounts.due()
    const [taken, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = renewalDeps(
      {
        refresh: async (...asked) => {
          const renewal = await platform.refresh(...asked)
          taken.resolve()
          await gate.promise
          return renewal
        },
      },
      clock,
    )
    const late = loadAccessToken(account, freshToken, slow)
    await taken.promise
    clock.pass(31)
    const refused = renewalDeps(
      {
        refresh: async (...asked) => {
          const renewal = await platform.refresh(...asked)
          gate.resolve()
          await late
          return renewal
        },
      },
      clock,
    )
    const second = await loadAccessToken(account, freshToken, refused)
    expect(second).toEqual(await late)
    expect(second).toEqual({ kind: 'token', token: (await storedTokens(account)).access })
    expect(platform.asked).toBe(2)
    expect(await healthOf(account)).toBe('connected')
  })
})

describe('a new token pair', () => {
  it('is stored even when sealing it fails twice', async () => {
    const { account, platform, clock } = await accounts.due()
    const deps = renewalDeps(
      {
        refresh: async (...asked) => {
          const busy = new Error('busy')
          vi.spyOn(KMSClient.prototype, 'send').mockRejectedValueOnce(busy).mockRejectedValueOnce(busy)
          return platform.refresh(...asked)
        },
      },
      clock,
    )
    const access = await loadAccessToken(account, anyToken, deps)
    expect(access).toEqual({ kind: 'token', token: (await storedTokens(account)).access })
  })

  it('late in the lease and with slow sealing is not lost to another caller with the old token', async () => {
    const { account, platform, clock } = await accounts.due()
    const { send } = KMSClient.prototype
    let meanwhile: unknown
    const sealsSlowly = async function (this: KMSClient, ...args: Parameters<typeof send>) {
      clock.pass(6)
      meanwhile = await loadAccessToken(account, freshToken, { ...renewalDeps(platform, clock), waitMsMax: () => 0 })
      return send.apply(this, args)
    }
    const slow = async (...asked: Parameters<AccessTokenDeps['refresh']>) => {
      clock.pass(26)
      const renewal = await platform.refresh(...asked)
      vi.spyOn(KMSClient.prototype, 'send').mockImplementationOnce(sealsSlowly as typeof send)
      return renewal
    }
    const access = await loadAccessToken(account, anyToken, renewalDeps({ refresh: slow }, clock))
    expect(meanwhile).toMatchObject({ kind: 'later' })
    expect(access).toEqual({ kind: 'token', token: (await storedTokens(account)).access })
    expect(await healthOf(account)).toBe('connected')
  })

  it('that cannot be stored immediately keeps its lease: the used refresh token is never sent', async () => {
    const { account, platform, clock } = await accounts.due()
    const others: unknown[] = []
    const busy = async (...asked: Parameters<AccessTokenDeps['refresh']>) => {
      vi.spyOn(KMSClient.prototype, 'send').mockRejectedValueOnce(new Error('busy'))
      clock.pass(20)
      return platform.refresh(...asked)
    }
    const meanwhile = async () => {
      clock.pass(15)
      others.push(await loadAccessToken(account, freshToken, { ...renewalDeps(platform, clock), waitMsMax: () => 0 }))
    }
    const access = await loadAccessToken(account, anyToken, renewalDeps({ refresh: busy }, clock, meanwhile))
    expect(others).toEqual([{ kind: 'later', waitSeconds: 15 }])
    expect(access).toEqual({ kind: 'token', token: (await storedTokens(account)).access })
    expect(await healthOf(account)).toBe('connected')
  })
})
