/** How the expiry of accounts is reported to clients and operators. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { Account } from '../../../lib/domain/records/account.ts'
import type { Tokens } from '../../../lib/domain/records/tokens.ts'
import { findTokens } from '../../../lib/store/tokens.ts'
import { markAccountExpired } from '../../../lib/use-cases/accounts/access-token.ts'
import { addProfile } from '../../../lib/use-cases/accounts/add-profile.ts'
import { storeConnectedAccount } from '../../../lib/use-cases/accounts/store-connected-account.ts'
import { profileCommands } from '../../../scripts/admin/profiles.ts'
import { connectionWith, hourSeconds, tokensFor } from '../../support/given/accounts.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'

const day = 24 * hourSeconds
let world: World
let profileId: string
const accounts: Partial<Record<PlatformId, Account>> = {}
const tokens: Partial<Record<PlatformId, Tokens>> = {
  // These two are never renewed: LinkedIn gives most apps no refresh token.
  linkedin: tokensFor(6 * day, { refresh: null }),
  threads: tokensFor(8 * day, { refresh: null }),
  tiktok: tokensFor(hourSeconds, { refreshEndsAt: tokensFor(5 * day).accessEndsAt }),
  twitter: tokensFor(hourSeconds),
  facebook: tokensFor(null, { refresh: null }),
  reddit: tokensFor(3 * day, { refresh: null }),
}

beforeAll(async () => {
  world = await newWorld()
  profileId = (await addProfile(world.workspaceId, { name: 'Shop' })).id
  for (const [platform, pair] of Object.entries(tokens) as [PlatformId, Tokens][])
    accounts[platform] = await storeConnectedAccount(world.workspaceId, profileId, platform, connectionWith(pair))
  await markAccountExpired(accounts.reddit!)
})

const healths = {
  linkedin: 'expiring',
  threads: 'connected',
  tiktok: 'expiring',
  twitter: 'connected',
  facebook: 'connected',
  reddit: 'expired',
}

interface Shown {
  platform: string
  health: string
}
const inShort = (shown: readonly Shown[]) => Object.fromEntries(shown.map(({ platform, health }) => [platform, health]))

describe('an account that must be reconnected within seven days', () => {
  it.each(['/profiles', '/profiles/:id'])('is `expiring` in GET %s', async (path) => {
    const { body } = await callApi('GET', path.replace(':id', profileId), { key: world.apiKey })
    expect(inShort([body.data].flat()[0].accounts)).toEqual(healths)
  })

  it('stays `expiring` until it is reconnected', async () => {
    const { workspaceId, apiKey: key } = await newWorld()
    const { id } = await addProfile(workspaceId, { name: 'Again' })
    for (const [seconds, health] of [[day, 'expiring'] as const, [60 * day, 'connected'] as const]) {
      await storeConnectedAccount(workspaceId, id, 'linkedin', connectionWith(tokensFor(seconds, { refresh: null })))
      const { body } = await callApi('GET', `/profiles/${id}`, { key })
      expect(inShort(body.data.accounts)).toEqual({ linkedin: health })
    }
  })
})

it("the operator's list shows the expiry of all accounts, and when each one is next renewed", async () => {
  const deployment = { apiUrl: async () => 'https://api.example.com' }
  const listed = await profileCommands['account list']!.run({ workspace: world.workspaceId }, deployment)
  expect(inShort(listed as Shown[])).toEqual(healths)
  const rows = Object.fromEntries((listed as (Shown & object)[]).map((row) => [row.platform, row]))
  const pair = (await findTokens(accounts.twitter!))!
  expect(rows.twitter).toMatchObject({ endsAt: null, renewedAt: pair.storedAt, nextLookAt: pair.dueAt })
  expect(rows.linkedin).toMatchObject({ endsAt: tokens.linkedin!.accessEndsAt })
  expect(rows.tiktok).toMatchObject({ endsAt: tokens.tiktok!.refreshEndsAt })
  expect(rows.facebook).toMatchObject({ endsAt: null, nextLookAt: expect.any(String) })
  expect(rows.reddit).toMatchObject({ renewedAt: null, nextLookAt: null })
  expect(JSON.stringify(listed)).not.toMatch(/access-|refresh-|sealed/)
})
