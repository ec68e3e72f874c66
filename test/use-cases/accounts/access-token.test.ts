/** Access tokens on a real table: a due token is refreshed by one caller for all, until its platform refuses. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { table, tableName } from '../../../lib/store/core/client.ts'
import { keys } from '../../../lib/store/core/keys.ts'
import { findTokens, replaceTokens } from '../../../lib/store/tokens.ts'
import { loadAccessToken, markAccountExpired } from '../../../lib/use-cases/accounts/access-token.ts'
import { sealTokens } from '../../../lib/use-cases/accounts/sealed-tokens.ts'
import { storeConnectedAccount } from '../../../lib/use-cases/accounts/store-connected-account.ts'
import { connectionWith, hourSeconds, tokensFor } from '../../support/given/accounts.ts'
import {
  anyToken,
  fakeTokenPlatform,
  freshToken,
  healthOf,
  offsetClock,
  renewalDeps,
  storedTokens,
  useRenewableAccounts,
} from '../../support/given/renewable-accounts.ts'

const accounts = useRenewableAccounts()

describe('a valid access token', () => {
  it('is returned unchanged, and is sealed in the table', async () => {
    const { account, tokens, platform } = await accounts.due()
    expect(await loadAccessToken(account, anyToken, renewalDeps(platform, offsetClock(0)))).toEqual({
      kind: 'token',
      token: tokens.access,
    })
    expect(platform.asked).toBe(0)
    const Key = keys.tokens(account.workspaceId, account.id)
    const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key }))
    expect(Item).toMatchObject({ accountId: account.id, accessEndsAt: tokens.accessEndsAt })
    expect(JSON.stringify(Item)).not.toMatch(/access-|refresh-/)
  })

  it('that expires soon is refreshed, and the new pair is stored', async () => {
    const { account, tokens, platform, clock } = await accounts.due()
    const access = await loadAccessToken(account, anyToken, renewalDeps(platform, clock))
    const kept = await storedTokens(account)
    expect(access).toEqual({ kind: 'token', token: kept.access })
    expect(kept.access).not.toBe(tokens.access)
    expect(await findTokens(account)).toMatchObject({ leaseUntil: null, accessEndsAt: kept.accessEndsAt })
  })

  it('is refreshed on request, but not again for a caller whose previous token was refused', async () => {
    const { account, tokens, platform } = await accounts.due()
    const clock = offsetClock(61)
    const first = await loadAccessToken(account, freshToken, renewalDeps(platform, clock))
    expect(first).not.toEqual({ kind: 'token', token: tokens.access })
    clock.pass(50)
    expect(await loadAccessToken(account, freshToken, renewalDeps(platform, clock))).toEqual(first)
    expect(platform.asked).toBe(1)
    clock.pass(20)
    expect(await loadAccessToken(account, freshToken, renewalDeps(platform, clock))).not.toEqual(first)
    expect(platform.asked).toBe(2)
  })
})

describe('a hundred concurrent callers', () => {
  it('cause one refresh, and all get its token', async () => {
    const { account, platform, clock } = await accounts.due()
    const deps = renewalDeps(platform, clock)
    const all = await Promise.all(Array.from({ length: 100 }, () => loadAccessToken(account, anyToken, deps)))
    const { access } = await storedTokens(account)
    expect(platform.asked).toBe(1)
    expect(all).toEqual(all.map(() => ({ kind: 'token', token: access })))
    expect(await healthOf(account)).toBe('connected')
  })

  it('cause one request to a platform that refuses', async () => {
    const { account, clock } = await accounts.due()
    const platform = fakeTokenPlatform(tokensFor(hourSeconds))
    const deps = renewalDeps(platform, clock)
    const all = await Promise.all(Array.from({ length: 100 }, () => loadAccessToken(account, freshToken, deps)))
    expect(platform.asked).toBe(1)
    expect(all).toEqual(all.map(() => ({ kind: 'expired' })))
  })
})

describe('a refused refresh', () => {
  it('expires the account and removes its tokens', async () => {
    const { account, clock } = await accounts.due()
    const deps = renewalDeps({ refresh: async () => ({ kind: 'refused' }) }, clock)
    expect(await loadAccessToken(account, anyToken, deps)).toEqual({ kind: 'expired' })
    expect(await healthOf(account)).toBe('expired')
    expect(await findTokens(account)).toBeUndefined()
  })

  it('has no effect when another process refreshed in the meantime', async () => {
    const { account, platform, clock } = await accounts.due()
    const newer = tokensFor(100 * hourSeconds)
    const deps = renewalDeps(
      {
        refresh: async () => {
          const before = (await findTokens(account))!
          await replaceTokens(before, await sealTokens(account, newer, before, clock.now()))
          return { kind: 'refused' }
        },
      },
      clock,
    )
    expect(await loadAccessToken(account, anyToken, deps)).toEqual({ kind: 'token', token: newer.access })
    expect(await healthOf(account)).toBe('connected')
    expect(platform.asked).toBe(0)
  })

  it('has no effect when the user reconnected the account meanwhile; the newest pair stays', async () => {
    for (const refuses of [true, false]) {
      const ending = tokensFor(20)
      const account = await accounts.withTokens(ending)
      const platform = fakeTokenPlatform(ending)
      const newer = tokensFor(100 * hourSeconds)
      const stale = renewalDeps(
        {
          refresh: async (...asked) => {
            await storeConnectedAccount(account.workspaceId, account.profileId, 'twitter', connectionWith(newer))
            return refuses ? { kind: 'refused' } : platform.refresh(...asked)
          },
        },
        offsetClock(0),
      )
      expect(await loadAccessToken(account, anyToken, stale)).toEqual({ kind: 'token', token: newer.access })
      await markAccountExpired(account)
      expect(await storedTokens(account)).toEqual(newer)
      expect(await healthOf(account)).toBe('connected')
    }
  })

  it('of an outdated token has no effect on the one that replaced it', async () => {
    const { account, tokens, platform } = await accounts.due()
    await loadAccessToken(account, freshToken, renewalDeps(platform, offsetClock(61)))
    await markAccountExpired(account, tokens.access)
    expect(await healthOf(account)).toBe('connected')
    await markAccountExpired(account, (await storedTokens(account)).access)
    expect(await healthOf(account)).toBe('expired')
  })

  it('of the newest token is recorded once', async () => {
    const { account } = await accounts.due()
    await Promise.all([markAccountExpired(account), markAccountExpired(account), markAccountExpired(account)])
    expect(await healthOf(account)).toBe('expired')
    expect(await loadAccessToken(account, anyToken)).toEqual({ kind: 'expired' })
  })
})

describe('without a refresh token', () => {
  it('the access token is used until it expires; then the account is expired', async () => {
    const { account, tokens, platform, clock } = await accounts.due({ refresh: null })
    const deps = renewalDeps(platform, clock)
    expect(await loadAccessToken(account, anyToken, deps)).toEqual({ kind: 'token', token: tokens.access })
    clock.pass(10 * 60)
    expect(await loadAccessToken(account, anyToken, deps)).toEqual({ kind: 'expired' })
    expect(await healthOf(account)).toBe('expired')
    expect(platform.asked).toBe(0)
  })

  it('a refused access token expires the account', async () => {
    const account = await accounts.withTokens(tokensFor(null, { refresh: null }))
    expect(
      await loadAccessToken(
        account,
        freshToken,
        renewalDeps(fakeTokenPlatform(tokensFor(hourSeconds)), offsetClock(61)),
      ),
    ).toEqual({
      kind: 'expired',
    })
    expect(await healthOf(account)).toBe('expired')
  })
})
