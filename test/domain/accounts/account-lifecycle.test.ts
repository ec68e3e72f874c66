/**
 * Rules of accounts: what a reconnect keeps, what a profile refresh changes, and which tokens and settings are
 * removed with an account.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  accountFromConnection,
  connectAccount,
  disconnectAccount,
  expireAccount,
  refreshAccountIdentity,
  updateAccountSettings,
} from '../../../lib/domain/accounts/account-lifecycle.ts'
import { newSealedTokens } from '../../../lib/domain/accounts/token-refresh.ts'
import type { Account, AccountIdentity } from '../../../lib/domain/records/account.ts'
import { at } from '../support/videos.ts'

const identity: AccountIdentity = {
  externalId: '7001',
  username: 'quiet',
  displayName: 'Quiet',
  pictureUrl: 'https://example.com/quiet.jpg',
}
const profile = { workspaceId: 'wsp_1', id: 'prf_1' }
const connect = (before: Account | undefined, fields: Partial<AccountIdentity> = {}, settings = {}, second = 1) =>
  accountFromConnection(
    profile,
    'pinterest',
    before,
    { identity: { ...identity, ...fields }, settings },
    'acc_new',
    at(second),
  )
const account: Account = { ...connect(undefined), id: 'acc_1', settings: { board: '12' } }
const pairOf = (owner: Account, second = 1) =>
  newSealedTokens(
    owner,
    undefined,
    { sealed: `sealed ${second}`, tokens: { accessEndsAt: null, refresh: null, refreshEndsAt: null } },
    at(second),
  )

describe('connecting an account', () => {
  it('creates a healthy account with the settings that the platform reports', () => {
    expect(connect(undefined, {}, { board: '5' })).toEqual({
      ...identity,
      id: 'acc_new',
      workspaceId: 'wsp_1',
      profileId: 'prf_1',
      platform: 'pinterest',
      version: 1,
      settings: { board: '5' },
      health: 'connected',
      endsAt: null,
      connectedAt: at(1),
      updatedAt: at(1),
    })
  })

  it('keeps the id and the chosen settings when the same account reconnects, and makes it healthy again', () => {
    const again = connect({ ...account, health: 'expired' }, { displayName: 'New' }, { board: '5', other: 'x' }, 9)
    expect(again).toMatchObject({
      id: 'acc_1',
      displayName: 'New',
      health: 'connected',
      settings: { board: '12', other: 'x' },
      version: account.version + 1,
      connectedAt: at(9),
    })
  })

  it('determines the server of the account again, because the account may have moved', () => {
    const moved = connect({ ...account, settings: { pds: 'https://old.example' } }, {}, { pds: 'https://new.example' })
    expect(moved.settings).toEqual({ pds: 'https://new.example' })
    const same = connect({ ...account, settings: { pds: 'https://old.example' } }, {}, {})
    expect(same.settings).toEqual({ pds: 'https://old.example' })
  })

  it('replaces a different account without keeping anything of it', () => {
    const other = connect(account, { externalId: '7002' }, { board: '5' })
    expect(other).toMatchObject({ id: 'acc_new', settings: { board: '5' }, version: account.version + 1 })
  })

  it('wakes the automations that publish to its profile', () => {
    const same = connect(account)
    const { automationWakeUps } = connectAccount(same, pairOf(same), { account, tokens: undefined })
    expect(automationWakeUps).toEqual([{ profileId: 'prf_1', cause: `acc_1#${account.version + 1}` }])
  })

  it('replaces the token pair of the same account, and removes that of a different one', () => {
    const before = { account, tokens: pairOf(account) }
    const [same, other] = [connect(account), connect(account, { externalId: '7002' })]
    const [newPair, otherPair] = [pairOf(same, 2), pairOf(other, 2)]
    expect(connectAccount(same, newPair, before).changes).toEqual([
      { record: 'account', before: account, after: same },
      { record: 'tokens', before: before.tokens, after: newPair },
    ])
    expect(connectAccount(other, otherPair, before).changes).toEqual([
      { record: 'account', before: account, after: other },
      { record: 'tokens', before: before.tokens, after: undefined },
      { record: 'tokens', before: undefined, after: otherPair },
    ])
    expect(connectAccount(same, newPair, { account: undefined, tokens: undefined }).changes).toEqual([
      { record: 'account', before: undefined, after: same },
      { record: 'tokens', before: undefined, after: newPair },
    ])
  })

  it('drops texts of the platform that are too long, and addresses that are invalid', () => {
    const words = fc.string({ unit: 'binary', maxLength: 400 })
    fc.assert(
      fc.property(words, words, fc.oneof(words, fc.webUrl()), (username, displayName, pictureUrl) => {
        const kept = connect(undefined, { username, displayName, pictureUrl })
        expect(username.startsWith(kept.username) && kept.username.length <= 300).toBe(true)
        expect(displayName.startsWith(kept.displayName) && kept.displayName.length <= 300).toBe(true)
        expect(kept.pictureUrl ?? 'https://none').toMatch(/^https?:/i)
      }),
    )
    const pictureOf = (pictureUrl: string) => connect(undefined, { pictureUrl }).pictureUrl
    for (const none of [
      'javascript:alert(1)',
      'data:image/png;base64,AA',
      '/a.jpg',
      `https://a.b/${'x'.repeat(3_000)}`,
    ])
      expect(pictureOf(none)).toBeNull()
    expect(pictureOf('http://a.b/c.jpg')).toBe('http://a.b/c.jpg')
    const longest = `https://a.b/${'x'.repeat(2_048 - 'https://a.b/'.length)}`
    expect([pictureOf(longest), pictureOf(`${longest}x`)]).toEqual([longest, null])
  })
})

describe('a refresh from the platform', () => {
  it('updates what the platform reports', () => {
    const decision = refreshAccountIdentity(account, { ...identity, username: 'calm', pictureUrl: null }, at(5))
    expect(decision?.account).toEqual({
      ...account,
      username: 'calm',
      pictureUrl: null,
      version: account.version + 1,
      updatedAt: at(5),
    })
    expect(decision?.changes).toEqual([{ record: 'account', before: account, after: decision?.account }])
  })

  it.each([{ username: 'calm' }, { displayName: 'Calm' }, { pictureUrl: null }])('writes %j alone', (fields) => {
    expect(refreshAccountIdentity(account, { ...identity, ...fields }, at(5))?.account).toMatchObject(fields)
  })

  it('writes nothing when nothing changed, or when the platform returns another account', () => {
    expect(refreshAccountIdentity(account, identity, at(5))).toBeUndefined()
    expect(
      refreshAccountIdentity(account, { ...identity, externalId: '7002', username: 'calm' }, at(5)),
    ).toBeUndefined()
  })
})

describe('an account whose token is refused, or that is disconnected', () => {
  it('loses its tokens in the same commit', () => {
    const pair = pairOf(account)
    const removed = { record: 'tokens', before: pair, after: undefined }
    const expired = expireAccount(account, pair, at(3))
    expect(expired.account).toMatchObject({ id: 'acc_1', health: 'expired', version: account.version + 1 })
    expect(expired.changes).toEqual([{ record: 'account', before: account, after: expired.account }, removed])
    expect(expireAccount(account, undefined, at(3)).changes).toHaveLength(1)
    expect(disconnectAccount(account, pair, at(3)).changes).toEqual([
      { record: 'account', before: account, after: undefined },
      removed,
    ])
  })
})

describe('account settings', () => {
  const settingsAfter = (edit: Record<string, string>, before = account) =>
    updateAccountSettings(before, edit, at(4)).account.settings

  it('are merged into the stored ones; an empty value removes a setting', () => {
    expect(settingsAfter({ title: 'x' })).toEqual({ board: '12', title: 'x' })
    expect(settingsAfter({ board: '13' })).toEqual({ board: '13' })
    expect(settingsAfter({ board: '' })).toEqual({})
  })

  it.each(['via', 'zernioAccountId', 'pds'])('cannot change which service receives the tokens: %s', (name) => {
    for (const value of ['https://another.example', ''])
      expect(() => settingsAfter({ [name]: value })).toThrow(/is read-only/)
  })

  it('are limited to 20, with names of 40 characters and values of 500', () => {
    const many = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`a${'b'.repeat(index)}`, '😀'.repeat(500)]),
    )
    expect(settingsAfter(many, { ...account, settings: {} })).toEqual(many)
    expect(settingsAfter({ [`a${'B'.repeat(39)}`]: 'x' })).toHaveProperty(`a${'B'.repeat(39)}`)
    for (const edit of [
      { ...many, another: 'x' },
      { [`a${'b'.repeat(40)}`]: 'x' },
      { Board: 'x' },
      { 'a-b': 'x' },
      { '': 'x' },
      { board: 'x'.repeat(501) },
    ] as Record<string, string>[])
      expect(() => settingsAfter(edit, { ...account, settings: {} }), Object.keys(edit).at(-1)).toThrow(
        expect.objectContaining({ code: 'invalid-request' }),
      )
  })
})
