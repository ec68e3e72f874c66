/**
 * Token refreshes in hundreds of random schedules: many callers, a platform that accepts a refresh token once and
 * ends the connection on reuse, slow and failing tables and keys, crashes at any point. Time is simulated, so that
 * every wait takes its real maximum.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { newSealedTokens } from '../../../lib/domain/accounts/token-refresh.ts'
import type { Account } from '../../../lib/domain/records/account.ts'
import type { RecordChange } from '../../../lib/domain/records/decision.ts'
import type { SealedTokens, Tokens } from '../../../lib/domain/records/tokens.ts'
import { log } from '../../../lib/log.ts'
import type { RefreshResult } from '../../../lib/platforms/connector.ts'
import { NoResponse, NotSent } from '../../../lib/platforms/failures.ts'
import { WriteConflict } from '../../../lib/store/core/write-conflict.ts'
import { type AccessTokenDeps, loadAccessToken } from '../../../lib/use-cases/accounts/access-token.ts'
import { volume } from '../../support/fuzz/volume.ts'
import { seededRandom } from '../../support/seeded-random.ts'

interface Asker {
  isDead: boolean
  /** Has received a pair that is not yet stored. */
  holds: boolean
}
const asking = new AsyncLocalStorage<Asker>()

function newWorld(seed: number) {
  const draw = seededRandom(seed)
  const chance = (share: number) => draw(1_000) < share * 1_000
  const upTo = (ms: number) => draw(Math.floor(ms))
  let time = Date.parse('2026-11-20T12:00:00Z')
  const timers: { at: number; run: () => void }[] = []
  const now = () => new Date(time).toISOString()

  /** A crashed process never resumes. */
  function sleep(ms: number): Promise<void> {
    const asker = asking.getStore()!
    const { promise, resolve } = Promise.withResolvers<void>()
    timers.push({
      at: time + ms,
      run: () => {
        if (chance(0.001)) asker.isDead = true
        if (!asker.isDead) resolve()
        else if (asker.holds) world.isLost = true
      },
    })
    return promise
  }

  /** A call that takes a while, and may fail before or after its effect. */
  async function called<Result>(msMax: number, failing: number, run: () => Result): Promise<Result> {
    await sleep(upTo(msMax))
    if (chance(failing)) throw new Error('The table is busy.')
    const result = run()
    await sleep(upTo(msMax))
    if (chance(failing)) throw new Error('The answer of the table was lost.')
    return result
  }

  let names = 0
  const given = (): Tokens => {
    names++
    const accessEndsAt = new Date(time + (chance(0.5) ? 40_000 : 7_200_000)).toISOString()
    return { access: `access-${names}`, accessEndsAt, refresh: `refresh-${names}`, refreshEndsAt: null }
  }
  const first = given()
  const platform = { refresh: first.refresh, access: [first.access], reuses: 0, isDown: chance(0.3) }
  let account = {
    ...{ id: 'acc_1', workspaceId: 'wsp_1', profileId: 'prf_1', platform: 'twitter', version: 1, settings: {} },
    ...{ health: 'connected', connectedAt: now(), updatedAt: now() },
  } as Account
  const sealedPair = (tokens: Tokens, before: SealedTokens | undefined) =>
    newSealedTokens(account, before, { sealed: JSON.stringify(tokens), tokens }, now())
  let pair: SealedTokens | undefined = sealedPair(first, undefined)

  const isSeen = (seen: SealedTokens) => pair?.version === seen.version
  const updated = (seen: SealedTokens, isFree: boolean, fields: Partial<SealedTokens>) => {
    if (!isSeen(seen) || !isFree) return undefined
    pair = { ...pair!, ...fields }
    return pair
  }

  async function renew(_account: Account, { refresh }: Tokens): Promise<RefreshResult> {
    // The client's secret and the request: each takes as long as its deadline allows.
    await sleep(chance(0.3) ? 9_000 + upTo(3_000) : upTo(50))
    const ms = chance(0.4) ? 10_000 + upTo(5_000) : upTo(800)
    await sleep(ms / 2)
    if (platform.isDown && chance(0.5)) throw new NotSent('away')
    const answer = answered(refresh)
    await sleep(ms / 2)
    if (platform.isDown && chance(0.1)) {
      if (answer.kind === 'renewed') world.isLost = true
      throw new NoResponse('The answer was lost.')
    }
    return answer
  }

  function answered(refresh: string | null): RefreshResult {
    if (refresh === null || refresh !== platform.refresh) {
      platform.reuses++
      platform.refresh = null
      return { kind: 'refused' }
    }
    const tokens = given()
    platform.refresh = tokens.refresh
    platform.access.push(tokens.access)
    asking.getStore()!.holds = true
    return { kind: 'renewed', tokens }
  }

  const world = {
    platform,
    /** A crash or a lost response between the platform and the table: this cannot be repaired. */
    isLost: false,
    now,
    chance,
    upTo,
    sleep,
    get account() {
      return account
    },
    get pair() {
      return pair
    },
    deps: {
      ...{ refresh: renew, now, wait: sleep, waitMsMax: () => 8_000 },
      storage: {
        findTokens: () => called(30, 0.01, () => pair && { ...pair }),
        findAccount: () => called(30, 0.01, () => ({ ...account })),
        leaseTokens: (seen, until, at) =>
          called(30, 0.01, () => {
            const isFree = pair?.leaseUntil === null || pair?.leaseUntil === undefined || pair.leaseUntil <= at
            return updated(seen, isFree, { leaseUntil: until })
          }),
        setLeaseEnd: (mine, until) =>
          called(30, 0.05, () => updated(mine, pair?.leaseUntil === mine.leaseUntil, { leaseUntil: until })),
        replaceTokens: (before, after) =>
          called(500, 0.1, () => {
            const stored = updated(before, true, after)
            asking.getStore()!.holds = false
            return stored
          }),
        sealTokens: async (_account, tokens, before) => {
          await sleep(chance(0.4) ? upTo(6_000) : upTo(30))
          if (chance(0.15)) throw new Error('The key service is busy.')
          return sealedPair(tokens, before)
        },
        unsealTokens: async (_account, { sealed }) => {
          await sleep(upTo(30))
          return JSON.parse(sealed) as Tokens
        },
        updateAccountExpiry: async () => {},
        retryOnConflict: (attempt) => attempt(),
        commit: ({ changes }) =>
          called(30, 0, () => {
            const isFresh = ({ record, before }: RecordChange) =>
              record === 'account' ? before?.version === account.version : isSeen(before as SealedTokens)
            if (!changes.every(isFresh)) throw new WriteConflict('another writer was faster')
            for (const { record, after } of changes) {
              if (record === 'account') account = after!
              else pair = undefined
            }
          }),
      },
    } satisfies AccessTokenDeps,
    /** A pair is lost when it cannot be stored for this many attempts. */
    gaveUp: () => {
      if (asking.getStore()!.holds) world.isLost = true
      return undefined
    },
    /** Advances time until nothing waits. */
    async play() {
      for (await turn(); timers.length > 0; await turn()) {
        timers.sort((a, b) => a.at - b.at)
        const { at, run } = timers.shift()!
        time = Math.max(time, at)
        run()
      }
    },
  }
  return world
}

/** The result of one schedule. */
async function played(seed: number) {
  const place = newWorld(seed)
  const tokens: string[] = []
  const ask = async () => {
    await place.sleep(place.upTo(20_000))
    for (let more = 8; more > 0; more--) {
      const access = await loadAccessToken(place.account, { isNew: place.chance(0.5) }, place.deps).catch(place.gaveUp)
      if (access?.kind === 'token') tokens.push(access.token)
      await place.sleep(place.upTo(6_000))
    }
  }
  for (let askers = 2 + place.upTo(7); askers > 0; askers--) {
    void asking.run({ isDead: false, holds: false }, ask)
  }
  await place.play()
  return { place, tokens }
}

it('no connection is lost and no token used twice, unless a process crashes between the platform and the table', async () => {
  for (const level of ['warn', 'error'] as const) vi.spyOn(log, level).mockImplementation(() => {})
  const counts = { kept: 0, lost: 0, renewals: 0 }
  for (let seed = 1; seed <= volume(300, 5_000); seed++) {
    const { place, tokens } = await played(seed)
    counts.renewals += place.platform.access.length - 1
    expect(
      tokens.filter((token) => !place.platform.access.includes(token)),
      `seed ${seed}`,
    ).toEqual([])
    if (place.isLost) counts.lost++
    else {
      counts.kept++
      const { health } = place.account
      const { refresh } = JSON.parse(place.pair?.sealed ?? '{}') as Partial<Tokens>
      expect({ seed, health, refresh, reuses: place.platform.reuses }).toEqual({
        ...{ seed, health: 'connected', refresh: place.platform.refresh, reuses: 0 },
      })
    }
  }
  expect(counts.kept).toBeGreaterThan(10 * counts.lost)
  expect(2 * counts.renewals).toBeGreaterThan(counts.kept)
})
