/** Profiles: GET /profiles and GET /profiles/{id}. */
import { beforeAll, describe, expect } from 'vitest'
import { now } from '../../lib/clock.ts'
import { refreshAccountIdentity } from '../../lib/domain/accounts/account-lifecycle.ts'
import type { Account } from '../../lib/domain/records/account.ts'
import { commit } from '../../lib/store/core/commit.ts'
import { findAccount } from '../../lib/store/profiles.ts'
import { findTokens, replaceTokens } from '../../lib/store/tokens.ts'
import { addProfile } from '../../lib/use-cases/accounts/add-profile.ts'
import { sealTokens, unsealTokens } from '../../lib/use-cases/accounts/sealed-tokens.ts'
import { storeConnectedAccount } from '../../lib/use-cases/accounts/store-connected-account.ts'
import { connectSandboxAccount } from '../../local/connect-sandbox-account.ts'
import { connectionWith, hourSeconds, tokensFor } from '../support/given/accounts.ts'
import { callApi, newWorld, type World } from '../support/world.ts'
import { rule } from './rules/rule.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const read = (path: string) => callApi('GET', path, { key: world.apiKey })

/** Its name is an old one, and its access token has ended: it has to be renewed before anything can be asked. */
async function forget(account: Account): Promise<void> {
  const pair = (await findTokens(account))!
  const tokens = { ...(await unsealTokens(account, pair)), access: 'ended', accessEndsAt: now() }
  await replaceTokens(pair, await sealTokens(account, tokens, pair, now()))
  await commit(refreshAccountIdentity(account, { ...account, username: 'forgotten', displayName: 'Forgotten' }, now())!)
}

describe('GET /profiles/{id}', () => {
  rule('profiles.get', async () => {
    const { id, workspaceId, createdAt } = await addProfile(world.workspaceId, {
      name: 'Studio',
      description: 'Habits, calmly',
      color: '#7C3AED',
    })
    const empty = { id, name: 'Studio', description: 'Habits, calmly', color: '#7c3aed', isDefault: true, createdAt }
    expect(await read(`/profiles/${id}`)).toMatchObject({ status: 200, body: { data: { ...empty, accounts: [] } } })
    const account = await storeConnectedAccount(workspaceId, id, 'pinterest', connectionWith(tokensFor(hourSeconds)))
    const { body } = await read(`/profiles/${id}`)
    expect(body.data).toEqual({
      ...empty,
      accounts: [
        {
          id: account.id,
          platform: 'pinterest',
          username: 'quiet',
          displayName: 'Quiet',
          pictureUrl: null,
          health: 'connected',
        },
      ],
    })
  })

  rule('profiles.refresh', async () => {
    const { id, workspaceId } = await addProfile(world.workspaceId, { name: 'Refreshed' })
    const known = await connectSandboxAccount(workspaceId, id, 'twitter')
    await forget(known)
    // Tokens that the platform never gave: it refuses them.
    const stranger = await storeConnectedAccount(workspaceId, id, 'reddit', connectionWith(tokensFor(hourSeconds)))
    const healths = async (query: string) =>
      (await read(`/profiles/${id}${query}`)).body.data.accounts.map(
        ({ platform, health }: { platform: string; health: string }) => `${platform} ${health}`,
      )
    expect(await healths('')).toEqual(['twitter connected', 'reddit connected'])
    for (const refresh of ['true', '1'])
      expect(await healths(`?refresh=${refresh}`), refresh).toEqual(['twitter connected', 'reddit expired'])
    const { username, displayName } = (await findAccount(workspaceId, id, 'twitter'))!
    expect([username, displayName]).toEqual([known.username, expect.not.stringMatching('Forgotten')])
    expect(await findAccount(workspaceId, id, 'reddit')).toMatchObject({ id: stranger.id, health: 'expired' })
    for (const wrong of ['false', '0', 'yes', 'TRUE', ''])
      expect(await read(`/profiles/${id}?refresh=${wrong}`), wrong).toMatchObject({ status: 400 })
  })
})

describe('GET /profiles', () => {
  rule('profiles.list', async () => {
    const own = await newWorld()
    const page = async (query: string) => (await callApi('GET', `/profiles${query}`, { key: own.apiKey })).body
    expect(await page('')).toEqual({ data: [], paging: { limit: 50, offset: 0, total: 0 } })
    const names = ['first', 'second', 'third']
    for (const name of names) await addProfile(own.workspaceId, { name })
    const all = await page('')
    expect(all.data.map(({ name }: { name: string }) => name)).toEqual(names)
    expect(all.data.map(({ isDefault }: { isDefault: boolean }) => isDefault)).toEqual([true, false, false])
    expect(await page('?limit=1&offset=1')).toEqual({
      data: [all.data[1]],
      paging: { limit: 1, offset: 1, total: 3 },
    })
  })
})
