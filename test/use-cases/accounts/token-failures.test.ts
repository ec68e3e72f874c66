/** Responses that say nothing about the account: it stays connected, and a valid token is used. */
import { describe, expect, it } from 'vitest'
import { NoResponse, NotSent } from '../../../lib/platforms/failures.ts'
import { loadAccessToken } from '../../../lib/use-cases/accounts/access-token.ts'
import { hourSeconds } from '../../support/given/accounts.ts'
import {
  anyToken,
  freshToken,
  healthOf,
  renewalDeps,
  useRenewableAccounts,
} from '../../support/given/renewable-accounts.ts'

const accounts = useRenewableAccounts()

describe('a platform that does not respond', () => {
  it.each([NotSent, NoResponse])(
    '%o: leaves a valid token, and is not called again for ten seconds',
    async (Silence) => {
      const { account, tokens, platform, clock } = await accounts.due()
      const silent = renewalDeps({ refresh: async () => Promise.reject(new Silence('away')) }, clock)
      const inTheMeantime = { kind: 'token', token: tokens.access }
      expect(await loadAccessToken(account, anyToken, silent)).toEqual(inTheMeantime)
      const passing = async () => clock.pass(3)
      expect(await loadAccessToken(account, anyToken, renewalDeps(platform, clock, passing))).toEqual(inTheMeantime)
      expect(platform.asked).toBe(0)
      clock.pass(2)
      expect(await loadAccessToken(account, anyToken, renewalDeps(platform, clock))).not.toEqual(inTheMeantime)
      expect(await healthOf(account)).toBe('connected')
    },
  )

  it('makes callers that need a new token retry later', async () => {
    const { account, clock } = await accounts.due()
    const silent = renewalDeps({ refresh: async () => Promise.reject(new NoResponse('away')) }, clock)
    expect(await loadAccessToken(account, freshToken, silent)).toEqual({ kind: 'later', waitSeconds: 10 })
    clock.pass(hourSeconds)
    expect(await loadAccessToken(account, anyToken, silent)).toEqual({ kind: 'later', waitSeconds: 10 })
    expect(await healthOf(account)).toBe('connected')
  })
})

describe('a platform that refuses the deployment', () => {
  const refused = async () => Promise.reject(new Error('The platform refuses the client of this deployment.'))

  it('leaves a valid token, and is not called again for ten seconds', async () => {
    const { account, tokens, platform, clock } = await accounts.due()
    const inTheMeantime = { kind: 'token', token: tokens.access }
    expect(await loadAccessToken(account, anyToken, renewalDeps({ refresh: refused }, clock))).toEqual(inTheMeantime)
    const passing = async () => clock.pass(3)
    expect(await loadAccessToken(account, anyToken, renewalDeps(platform, clock, passing))).toEqual(inTheMeantime)
    expect(platform.asked).toBe(0)
  })

  it('is a fault for callers that need a new token', async () => {
    const { account, clock } = await accounts.due()
    await expect(loadAccessToken(account, freshToken, renewalDeps({ refresh: refused }, clock))).rejects.toThrow(
      /refuses the client/,
    )
    clock.pass(hourSeconds)
    await expect(loadAccessToken(account, anyToken, renewalDeps({ refresh: refused }, clock))).rejects.toThrow(
      /refuses the client/,
    )
    expect(await healthOf(account)).toBe('connected')
  })
})
