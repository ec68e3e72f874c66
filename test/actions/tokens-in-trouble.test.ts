/** Tokens of which the platform says nothing, or nothing about the account: it stays connected, and a token that holds is used. */
import { describe, expect, it } from 'vitest'
import { NoAnswer, NotSent } from '../../lib/platforms/failures.ts'
import { accessToken } from '../../lib/use-cases/accounts/access-token.ts'
import { hour } from '../support/given/accounts.ts'
import { accountsToRenew, another, doorsOf, healthOf, usual } from '../support/given/renewable-accounts.ts'

const accounts = accountsToRenew()

describe('a platform that does not answer', () => {
  it.each([NotSent, NoAnswer])(
    '%o: leaves a token that holds, and is not asked again for ten seconds',
    async (Silence) => {
      const { account, tokens, platform, clock } = await accounts.due()
      const silent = doorsOf({ renew: async () => Promise.reject(new Silence('away')) }, clock)
      const inTheMeantime = { kind: 'token', token: tokens.access }
      expect(await accessToken(account, usual, silent)).toEqual(inTheMeantime)
      const passing = async () => clock.pass(3)
      expect(await accessToken(account, usual, doorsOf(platform, clock, passing))).toEqual(inTheMeantime)
      expect(platform.asked).toBe(0)
      clock.pass(2)
      expect(await accessToken(account, usual, doorsOf(platform, clock))).not.toEqual(inTheMeantime)
      expect(await healthOf(account)).toBe('connected')
    },
  )

  it('makes whoever needs another token come later', async () => {
    const { account, clock } = await accounts.due()
    const silent = doorsOf({ renew: async () => Promise.reject(new NoAnswer('away')) }, clock)
    expect(await accessToken(account, another, silent)).toEqual({ kind: 'later', waitSeconds: 10 })
    clock.pass(hour)
    expect(await accessToken(account, usual, silent)).toEqual({ kind: 'later', waitSeconds: 10 })
    expect(await healthOf(account)).toBe('connected')
  })
})

describe('a platform that refuses the deployment', () => {
  const refused = async () => Promise.reject(new Error('The platform refuses the client of this deployment.'))

  it('leaves a token that holds, and is not asked again for ten seconds', async () => {
    const { account, tokens, platform, clock } = await accounts.due()
    const inTheMeantime = { kind: 'token', token: tokens.access }
    expect(await accessToken(account, usual, doorsOf({ renew: refused }, clock))).toEqual(inTheMeantime)
    const passing = async () => clock.pass(3)
    expect(await accessToken(account, usual, doorsOf(platform, clock, passing))).toEqual(inTheMeantime)
    expect(platform.asked).toBe(0)
  })

  it('is a fault to whoever needs another token', async () => {
    const { account, clock } = await accounts.due()
    await expect(accessToken(account, another, doorsOf({ renew: refused }, clock))).rejects.toThrow(
      /refuses the client/,
    )
    clock.pass(hour)
    await expect(accessToken(account, usual, doorsOf({ renew: refused }, clock))).rejects.toThrow(/refuses the client/)
    expect(await healthOf(account)).toBe('connected')
  })
})
