/** Storing connections on a real table: an account and its tokens are created, kept and deleted together. */
import { beforeAll, describe, expect, it } from 'vitest'
import { UnsealFailed } from '../../../lib/aws/sealing.ts'
import { now } from '../../../lib/clock.ts'
import {
  disconnectAccount,
  expireAccount,
  updateAccountSettings,
} from '../../../lib/domain/accounts/account-lifecycle.ts'
import { createProfile, profilesMax } from '../../../lib/domain/accounts/create-profile.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import type { Account } from '../../../lib/domain/records/account.ts'
import { commit } from '../../../lib/store/core/commit.ts'
import { WriteConflict } from '../../../lib/store/core/write-conflict.ts'
import { findDefaultProfile, findProfile, getProfile, listProfiles } from '../../../lib/store/profiles.ts'
import { findTokens } from '../../../lib/store/tokens.ts'
import { addProfile } from '../../../lib/use-cases/accounts/add-profile.ts'
import { unsealTokens } from '../../../lib/use-cases/accounts/sealed-tokens.ts'
import { storeConnectedAccount } from '../../../lib/use-cases/accounts/store-connected-account.ts'
import { connectionWith, givenAccount, givenProfile, hourSeconds, tokensFor } from '../../support/given/accounts.ts'
import { newWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const connectAgain = (
  { workspaceId, profileId, platform }: Account,
  tokens = tokensFor(hourSeconds),
  externalId = '7001',
) => storeConnectedAccount(workspaceId, profileId, platform, connectionWith(tokens, externalId))
const accountsOf = async ({ workspaceId, profileId }: Account) => (await getProfile(workspaceId, profileId)).accounts
const tokensOf = async (account: Account) => unsealTokens(account, (await findTokens(account))!)

describe('a connection', () => {
  it('is stored with its tokens, which can be opened for this account only', async () => {
    const tokens = tokensFor(hourSeconds)
    const account = await givenAccount(world, tokens)
    expect(await accountsOf(account)).toEqual([account])
    const pair = (await findTokens(account))!
    expect(await unsealTokens(account, pair)).toEqual(tokens)
    for (const other of [{ id: 'acc_other' }, { workspaceId: 'wsp_other' }, { platform: 'tiktok' as const }])
      await expect(unsealTokens({ ...account, ...other }, pair)).rejects.toThrow(UnsealFailed)
  })

  it('of the same account again keeps its id and settings, with the new tokens', async () => {
    const first = await givenAccount(world, tokensFor(hourSeconds))
    await commit(updateAccountSettings(first, { title: 'Mornings' }, now()))
    const tokens = tokensFor(2 * hourSeconds)
    const again = await connectAgain(first, tokens)
    expect(again).toMatchObject({ id: first.id, settings: { title: 'Mornings' } })
    expect(await accountsOf(first)).toEqual([again])
    expect(await tokensOf(again)).toEqual(tokens)
  })

  it('of another account replaces the first, whose tokens are deleted', async () => {
    const first = await givenAccount(world, tokensFor(hourSeconds))
    const other = await connectAgain(first, tokensFor(hourSeconds), '7002')
    expect(other.id).not.toBe(first.id)
    expect(await accountsOf(first)).toEqual([other])
    expect([await findTokens(first), await findTokens(other)]).toEqual([undefined, expect.anything()])
  })

  it('makes an expired account healthy', async () => {
    const first = await givenAccount(world, tokensFor(hourSeconds))
    await commit(expireAccount(first, await findTokens(first), now()))
    expect(await accountsOf(first)).toMatchObject([{ health: 'expired' }])
    const again = await connectAgain(first)
    expect(again).toMatchObject({ id: first.id, health: 'connected' })
    expect(await findTokens(again)).toBeDefined()
  })

  it('that is made ten times concurrently leaves one account with the tokens of one of them', async () => {
    const { id, workspaceId } = await givenProfile(world)
    const pairs = Array.from({ length: 10 }, () => tokensFor(hourSeconds))
    await Promise.all(
      pairs.map((tokens) => storeConnectedAccount(workspaceId, id, 'bluesky', connectionWith(tokens)).catch(lostRace)),
    )
    const { accounts } = await getProfile(workspaceId, id)
    expect(accounts).toHaveLength(1)
    expect(pairs).toContainEqual(await tokensOf(accounts[0]!))
  })

  it('to a profile of another workspace is not found', async () => {
    const other = await newWorld()
    const { id } = await givenProfile(other)
    await expect(
      storeConnectedAccount(world.workspaceId, id, 'tiktok', connectionWith(tokensFor(hourSeconds))),
    ).rejects.toThrow(expect.objectContaining({ code: 'not-found' }))
  })

  it('that ends deletes account and tokens together, or neither', async () => {
    const account = await givenAccount(world, tokensFor(hourSeconds))
    const stale = (await findTokens(account))!
    const again = await connectAgain(account)
    await expect(commit(disconnectAccount(again, stale, now()))).rejects.toThrow(WriteConflict)
    expect(await accountsOf(account)).toEqual([again])
    await commit(disconnectAccount(again, await findTokens(again), now()))
    expect([await accountsOf(account), await findTokens(account)]).toEqual([[], undefined])
  })
})

/** Accepts a `WriteConflict`, the result after too many lost races, and rethrows any other error. */
function lostRace(error: unknown) {
  if (!(error instanceof WriteConflict)) throw error
}

describe('the profiles of a workspace', () => {
  it('have one default, also when the first ones are created concurrently', async () => {
    const { workspaceId } = await newWorld()
    expect(await findDefaultProfile(workspaceId)).toBeUndefined()
    await Promise.all(['a', 'b', 'c'].map((name) => addProfile(workspaceId, { name })))
    const profiles = (await listProfiles(workspaceId)).map(({ profile }) => profile)
    expect(profiles.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c'])
    expect(profiles.map(({ isDefault }) => isDefault)).toEqual([true, false, false])
    expect((await findDefaultProfile(workspaceId))?.profile).toEqual(profiles[0])
  })

  it('are limited to a hundred, also when several would be the last one', async () => {
    const { workspaceId } = await newWorld()
    for (let made = 0; made < profilesMax - 2; made++) {
      const id = mintId('prf', now())
      await commit(createProfile({ id, workspaceId, name: 'Shop' }, [], now()))
    }
    const added = await Promise.allSettled(
      Array.from({ length: 5 }, () => addProfile(workspaceId, { name: 'One of the last' })),
    )
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    for (const one of added) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'limit-reached' })
    expect(await listProfiles(workspaceId)).toHaveLength(profilesMax)
  })

  it('are listed with their own accounts only, in the order of the platforms', async () => {
    const one = await givenAccount(world, tokensFor(hourSeconds), 'bluesky')
    const two = await storeConnectedAccount(
      one.workspaceId,
      one.profileId,
      'tiktok',
      connectionWith(tokensFor(hourSeconds)),
    )
    await givenAccount(world, tokensFor(hourSeconds), 'youtube')
    expect((await findProfile(one.workspaceId, one.profileId))?.accounts).toEqual([two, one])
    const listed = await listProfiles(world.workspaceId)
    expect(listed.find(({ profile }) => profile.id === one.profileId)?.accounts).toEqual([two, one])
    expect(await findProfile(one.workspaceId, one.profileId.slice(0, -1))).toBeUndefined()
    expect(await findProfile(one.workspaceId, `${one.profileId}0`)).toBeUndefined()
  })
})
