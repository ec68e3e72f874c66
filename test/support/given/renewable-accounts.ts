/** Accounts whose tokens are renewed, on a real table: a platform that takes each refresh token once, and a clock that a test moves. */
import { setImmediate as turn } from 'node:timers/promises'
import { beforeAll } from 'vitest'
import type { Tokens } from '../../../lib/domain/accounts/profiles.ts'
import type { Account } from '../../../lib/domain/records/account.ts'
import type { Renewal } from '../../../lib/platforms/connector.ts'
import { findAccount } from '../../../lib/store/profiles.ts'
import { findTokens } from '../../../lib/store/tokens.ts'
import type { RenewalDoors } from '../../../lib/use-cases/accounts/access-token.ts'
import { openTokens } from '../../../lib/use-cases/accounts/sealed-tokens.ts'
import { newWorld, type World } from '../world.ts'
import { hour, newAccount, tokensFor } from './accounts.ts'

export type MovedClock = ReturnType<typeof clockAhead>

/** The time, so many seconds ahead; `pass` lets more of it pass. */
export function clockAhead(seconds: number) {
  let ahead = seconds
  return {
    now: () => new Date(Date.now() + ahead * 1_000).toISOString(),
    pass: (more: number) => {
      ahead += more
    },
  }
}

/** A platform that renews with the refresh token that it gave last, and refuses any other. */
export function platformAfter(tokens: Tokens) {
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

export const doorsOf = (
  { renew }: Pick<RenewalDoors, 'renew'>,
  clock: MovedClock,
  wait: RenewalDoors['wait'] = turn,
): RenewalDoors => ({ renew, wait, now: clock.now, patienceMs: () => 8_000 })

/** What those who need a token ask for: any that holds, or one that the platform has not refused. */
export const [usual, another] = [{ isNew: false }, { isNew: true }]

export const storedTokens = async (account: Account) => openTokens(account, (await findTokens(account))!)
export const healthOf = async ({ workspaceId, profileId, platform }: Account) =>
  (await findAccount(workspaceId, profileId, platform))?.health

/** Call it once in a test file, outside its tests. */
export function accountsToRenew() {
  let world: World
  beforeAll(async () => {
    world = await newWorld()
  })
  const withTokens = (tokens: Tokens) => newAccount(world, tokens)
  return {
    withTokens,
    /** One whose token ends in an hour, and the time 50 minutes later: it is due. */
    async due(fields: Partial<Tokens> = {}) {
      const tokens = tokensFor(hour, fields)
      const account = await withTokens(tokens)
      return { tokens, account, platform: platformAfter(tokens), clock: clockAhead(50 * 60 + 5) }
    },
  }
}
