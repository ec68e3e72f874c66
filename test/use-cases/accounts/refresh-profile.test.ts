/** Refreshing a profile with simulated connectors: how each response affects its account, and the overall deadline. */
import { setImmediate as turn } from 'node:timers/promises'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import type { AccountIdentity } from '../../../lib/domain/records/account.ts'
import type { Connector } from '../../../lib/platforms/connector.ts'
import { NoResponse, NotSent } from '../../../lib/platforms/failures.ts'
import type { PlatformRequest } from '../../../lib/platforms/publisher.ts'
import {
  mayLookUpAccount,
  type RefreshProfileDeps,
  refreshProfile,
} from '../../../lib/use-cases/accounts/refresh-profile.ts'
import { storeConnectedAccount } from '../../../lib/use-cases/accounts/store-connected-account.ts'
import { connectionWith, givenProfile, hourSeconds, tokensFor } from '../../support/given/accounts.ts'
import { newWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

const now: AccountIdentity = { ...connectionWith(tokensFor(null)).identity, username: 'calm', displayName: 'Calm' }

/** A profile with an account on each platform, whose tokens expire in two hours. */
async function profileOn(...platforms: PlatformId[]) {
  const { id, workspaceId } = await givenProfile(world)
  const connect = (platform: PlatformId, tokens = tokensFor(2 * hourSeconds)) =>
    storeConnectedAccount(workspaceId, id, platform, connectionWith(tokens))
  for (const platform of platforms) await connect(platform)
  return { id, connect }
}

type Played = Partial<Pick<Connector, 'identify' | 'refresh'>>

function doorsOf(
  played: (platform: PlatformId) => Played,
  fields: Partial<RefreshProfileDeps> = {},
): RefreshProfileDeps {
  const none = async () => {
    throw new Error('This is not asked in this test.')
  }
  return {
    connector: (platform) => ({ platform, identify: none, refresh: none, ...played(platform) }),
    http: none,
    wait: turn,
    // Far enough ahead that every token may be renewed.
    now: () => new Date(Date.now() + 90_000).toISOString(),
    waitMsMax: () => 8_000,
    mayLookUp: async () => true,
    ...fields,
  }
}

const refreshed = async (profileId: string, deps: RefreshProfileDeps) => {
  const { accounts } = await refreshProfile(world.workspaceId, profileId, deps)
  return Object.fromEntries(accounts.map(({ platform, health, username }) => [platform, `${health} ${username}`]))
}

describe('refreshing a profile', () => {
  it('asks a platform about an account once a minute, however often and concurrently it is called', async () => {
    const { id } = await profileOn('twitter')
    let asked = 0
    const identify = async () => {
      asked++
      return { externalId: 'x', username: 'new', displayName: 'New', pictureUrl: null }
    }
    const { mayLookUp: _, ...deps } = doorsOf(() => ({ identify }))
    const limited = { ...deps, mayLookUp: mayLookUpAccount }
    await Promise.all(Array.from({ length: 20 }, () => refreshProfile(world.workspaceId, id, limited)))
    expect(asked).toBe(1)
  })

  it('stores what each platform reports, and queries all of them concurrently', async () => {
    const { id } = await profileOn('twitter', 'bluesky', 'tiktok')
    const everybody = Promise.withResolvers<void>()
    let asked = 0
    const identify = async () => {
      if (++asked === 3) everybody.resolve()
      await everybody.promise
      return now
    }
    expect(
      await refreshed(
        id,
        doorsOf(() => ({ identify })),
      ),
    ).toEqual({
      twitter: 'connected calm',
      bluesky: 'connected calm',
      tiktok: 'connected calm',
    })
  })

  it.each([new NotSent('away'), new NoResponse('away'), new Error('The platform answers 404.')])(
    'leaves an account unchanged when its platform gives no information, and refreshes the others: %s',
    async (trouble) => {
      const { id } = await profileOn('twitter', 'bluesky')
      const identify = async () => now
      const fails = () => Promise.reject(trouble)
      const deps = doorsOf((platform) => ({ identify: platform === 'twitter' ? fails : identify }))
      expect(await refreshed(id, deps)).toEqual({ twitter: 'connected quiet', bluesky: 'connected calm' })
    },
  )

  it('renews a refused token once, and continues with the new one', async () => {
    const { id } = await profileOn('bluesky')
    const fresh = tokensFor(100 * hourSeconds)
    const renew = vi.fn<Connector['refresh']>(async () => ({ kind: 'renewed', tokens: fresh }))
    const identify: Connector['identify'] = async (_place, access) => (access === fresh.access ? now : null)
    expect(
      await refreshed(
        id,
        doorsOf(() => ({ identify, refresh: renew })),
      ),
    ).toEqual({ bluesky: 'connected calm' })
    expect(renew).toHaveBeenCalledTimes(1)
  })

  it('expires an account whose new token is refused too, or whose token cannot be renewed', async () => {
    const { id } = await profileOn('twitter', 'bluesky')
    const renewed: Connector['refresh'] = async () => ({ kind: 'renewed', tokens: tokensFor(100 * hourSeconds) })
    const refused: Connector['refresh'] = async () => ({ kind: 'refused' })
    const deps = doorsOf((platform) => ({
      identify: async () => null,
      refresh: platform === 'twitter' ? renewed : refused,
    }))
    expect(await refreshed(id, deps)).toEqual({ twitter: 'expired quiet', bluesky: 'expired quiet' })
  })

  it('skips an expired account, which can only be reconnected', async () => {
    const { id, connect } = await profileOn('bluesky')
    const refused = doorsOf(() => ({ identify: async () => null, refresh: async () => ({ kind: 'refused' }) }))
    expect(await refreshed(id, refused)).toEqual({ bluesky: 'expired quiet' })
    const welcoming = doorsOf(() => ({ identify: async () => now }))
    expect(await refreshed(id, welcoming)).toEqual({ bluesky: 'expired quiet' })
    await connect('bluesky')
    expect(await refreshed(id, welcoming)).toEqual({ bluesky: 'connected calm' })
  })

  it('rejects a token that belongs to another account', async () => {
    const { id } = await profileOn('bluesky')
    const identify = async () => ({ ...now, externalId: '7002' })
    expect(
      await refreshed(
        id,
        doorsOf(() => ({ identify })),
      ),
    ).toEqual({ bluesky: 'connected quiet' })
  })

  it('limits every request to the remaining time, starts none after the deadline, and starts no renewal close to it', async () => {
    const { id } = await profileOn('bluesky')
    let ahead = 90_000
    const requests: PlatformRequest[] = []
    const renew = vi.fn<Connector['refresh']>()
    const deps = doorsOf(
      () => ({
        identify: async ({ http }) => {
          await http({ method: 'GET', url: 'https://platform.example/me' })
          ahead += 11_000
          await http({ method: 'GET', url: 'https://platform.example/me' })
          return null
        },
        refresh: renew,
      }),
      {
        now: () => new Date(Date.now() + ahead).toISOString(),
        http: async (request) => {
          requests.push(request)
          return { status: 200, headers: {}, body: new Uint8Array() }
        },
      },
    )
    expect(await refreshed(id, deps)).toEqual({ bluesky: 'connected quiet' })
    const [first, second] = requests.map(({ deadlineMs }) => deadlineMs!)
    expect(first).toBeLessThanOrEqual(20_000)
    expect(second).toBeLessThanOrEqual(9_000)
    expect(renew).not.toHaveBeenCalled()
  })

  it('starts no renewal when reading the client secret has used up the time', async () => {
    const { id, connect } = await profileOn()
    await connect('twitter', tokensFor(60))
    let ahead = 90_000
    // After the cached secret has expired.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 60_000 })
    const { send } = SecretsManagerClient.prototype
    const slowly = function (this: SecretsManagerClient, ...args: Parameters<typeof send>) {
      ahead += 11_000
      return send.apply(this, args)
    }
    const asked = vi.spyOn(SecretsManagerClient.prototype, 'send').mockImplementation(slowly as typeof send)
    onTestFinished(() => {
      asked.mockRestore()
      vi.useRealTimers()
    })
    const renew = vi.fn<Connector['refresh']>(async () => ({ kind: 'renewed', tokens: tokensFor(hourSeconds) }))
    const deps = doorsOf(() => ({ refresh: renew }), { now: () => new Date(Date.now() + ahead).toISOString() })
    expect(await refreshed(id, deps)).toEqual({ twitter: 'connected quiet' })
    expect([asked.mock.calls.length, renew.mock.calls.length]).toEqual([1, 0])
  })
})
