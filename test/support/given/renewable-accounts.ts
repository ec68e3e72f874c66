/** Accounts whose tokens are renewed, on a real table: a platform that takes each refresh token once, and a clock that a test moves. */
import { setImmediate as turn } from 'node:timers/promises'
import { beforeAll } from 'vitest'
import type { Account } from '../../../lib/domain/records/account.ts'
import type { Tokens } from '../../../lib/domain/records/tokens.ts'
import type { RefreshResult } from '../../../lib/platforms/connector.ts'
import { findAccount } from '../../../lib/store/profiles.ts'
import { findTokens } from '../../../lib/store/tokens.ts'
import type { AccessTokenDeps } from '../../../lib/use-cases/accounts/access-token.ts'
import { unsealTokens } from '../../../lib/use-cases/accounts/sealed-tokens.ts'
import { newWorld, type World } from '../world.ts'
import { givenAccount, hourSeconds, tokensFor } from './accounts.ts'

export type OffsetClock = ReturnType<typeof offsetClock>

/** The time, so many seconds ahead; `pass` lets more of it pass. */
export function offsetClock(seconds: number) {
  let ahead = seconds
  return {
    now: () => new Date(Date.now() + ahead * 1_000).toISOString(),
    pass: (more: number) => {
      ahead += more
    },
  }
}

/** A platform that renews with the refresh token that it gave last, and refuses any other. */
export function fakeTokenPlatform(tokens: Tokens) {
  let { refresh } = tokens
  const platform = {
    asked: 0,
    refresh: async (_account: Account, shown: Tokens): Promise<RefreshResult> => {
      platform.asked++
      await turn()
      if (shown.refresh !== refresh) return { kind: 'refused' }
      const next = tokensFor(100 * hourSeconds)
      refresh = next.refresh
      return { kind: 'renewed', tokens: next }
    },
  }
  return platform
}

export const renewalDeps = (
  { refresh }: Pick<AccessTokenDeps, 'refresh'>,
  clock: OffsetClock,
  wait: AccessTokenDeps['wait'] = turn,
): AccessTokenDeps => ({ refresh, wait, now: clock.now, waitMsMax: () => 8_000 })

/** What callers request: any valid token, or one that the platform has not refused. */
export const [anyToken, freshToken] = [{ isNew: false }, { isNew: true }]

export const storedTokens = async (account: Account) => unsealTokens(account, (await findTokens(account))!)
export const healthOf = async ({ workspaceId, profileId, platform }: Account) =>
  (await findAccount(workspaceId, profileId, platform))?.health

/** Call it once in a test file, outside its tests. */
export function useRenewableAccounts() {
  let world: World
  beforeAll(async () => {
    world = await newWorld()
  })
  const withTokens = (tokens: Tokens) => givenAccount(world, tokens)
  return {
    withTokens,
    /** One whose token ends in an hour, and the time 50 minutes later: it is due. */
    async due(fields: Partial<Tokens> = {}) {
      const tokens = tokensFor(hourSeconds, fields)
      const account = await withTokens(tokens)
      return { tokens, account, platform: fakeTokenPlatform(tokens), clock: offsetClock(50 * 60 + 5) }
    },
  }
}
