/** The token that an asker is given, on a real table: renewed where that is due, by one asker for all, until its platform refuses. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { table, tableName } from '../../lib/store/core/client.ts'
import { keys } from '../../lib/store/core/keys.ts'
import { findTokens, replaceTokens } from '../../lib/store/tokens.ts'
import { accessToken, noteExpired } from '../../lib/use-cases/accounts/access-token.ts'
import { sealTokens } from '../../lib/use-cases/accounts/sealed-tokens.ts'
import { keepConnection } from '../../lib/use-cases/accounts/store-connected-account.ts'
import { connectionWith, hour, tokensFor } from '../support/given/accounts.ts'
import {
  accountsToRenew,
  another,
  clockAhead,
  doorsOf,
  healthOf,
  platformAfter,
  storedTokens,
  usual,
} from '../support/given/renewable-accounts.ts'

const accounts = accountsToRenew()

describe('a token that holds', () => {
  it('is given as it is, and stands in the table sealed', async () => {
    const { account, tokens, platform } = await accounts.due()
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
    const { account, tokens, platform, clock } = await accounts.due()
    const access = await accessToken(account, usual, doorsOf(platform, clock))
    const kept = await storedTokens(account)
    expect(access).toEqual({ kind: 'token', token: kept.access })
    expect(kept.access).not.toBe(tokens.access)
    expect(await findTokens(account)).toMatchObject({ leaseUntil: null, accessEndsAt: kept.accessEndsAt })
  })

  it('is renewed on request, and not again for whoever was refused with the one before', async () => {
    const { account, tokens, platform } = await accounts.due()
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
    const { account, platform, clock } = await accounts.due()
    const doors = doorsOf(platform, clock)
    const all = await Promise.all(Array.from({ length: 100 }, () => accessToken(account, usual, doors)))
    const { access } = await storedTokens(account)
    expect(platform.asked).toBe(1)
    expect(all).toEqual(all.map(() => ({ kind: 'token', token: access })))
    expect(await healthOf(account)).toBe('connected')
  })

  it('cause one question to a platform that refuses', async () => {
    const { account, clock } = await accounts.due()
    const platform = platformAfter(tokensFor(hour))
    const doors = doorsOf(platform, clock)
    const all = await Promise.all(Array.from({ length: 100 }, () => accessToken(account, another, doors)))
    expect(platform.asked).toBe(1)
    expect(all).toEqual(all.map(() => ({ kind: 'expired' })))
  })
})

describe('a refusal', () => {
  it('expires the account and removes its tokens', async () => {
    const { account, clock } = await accounts.due()
    const doors = doorsOf({ renew: async () => ({ kind: 'refused' }) }, clock)
    expect(await accessToken(account, usual, doors)).toEqual({ kind: 'expired' })
    expect(await healthOf(account)).toBe('expired')
    expect(await findTokens(account)).toBeUndefined()
  })

  it('means nothing where somebody else renewed meanwhile', async () => {
    const { account, platform, clock } = await accounts.due()
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
      const account = await accounts.withTokens(ending)
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
    const { account, tokens, platform } = await accounts.due()
    await accessToken(account, another, doorsOf(platform, clockAhead(61)))
    await noteExpired(account, tokens.access)
    expect(await healthOf(account)).toBe('connected')
    await noteExpired(account, (await storedTokens(account)).access)
    expect(await healthOf(account)).toBe('expired')
  })

  it('of the newest token is noted once', async () => {
    const { account } = await accounts.due()
    await Promise.all([noteExpired(account), noteExpired(account), noteExpired(account)])
    expect(await healthOf(account)).toBe('expired')
    expect(await accessToken(account, usual)).toEqual({ kind: 'expired' })
  })
})

describe('without a refresh token', () => {
  it('the access token is used to its end; then the account is expired', async () => {
    const { account, tokens, platform, clock } = await accounts.due({ refresh: null })
    const doors = doorsOf(platform, clock)
    expect(await accessToken(account, usual, doors)).toEqual({ kind: 'token', token: tokens.access })
    clock.pass(10 * 60)
    expect(await accessToken(account, usual, doors)).toEqual({ kind: 'expired' })
    expect(await healthOf(account)).toBe('expired')
    expect(platform.asked).toBe(0)
  })

  it('a refused one expires the account', async () => {
    const account = await accounts.withTokens(tokensFor(null, { refresh: null }))
    expect(await accessToken(account, another, doorsOf(platformAfter(tokensFor(hour)), clockAhead(61)))).toEqual({
      kind: 'expired',
    })
    expect(await healthOf(account)).toBe('expired')
  })
})
