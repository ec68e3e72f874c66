/** Bluesky: connected by an app password, which is used once; its refresh tokens are, too. */
import { describe, expect, it } from 'vitest'
import type { AppPassword, PasswordConnector } from '../../lib/platforms/connector.ts'
import { NoAnswer, NotSent } from '../../lib/platforms/failures.ts'
import { appPasswordOf } from '../../local/sandbox/platforms/bluesky/sessions.ts'
import { stageOf } from './connector-harness.ts'

const stage = stageOf('bluesky')
const connector = () => stage.connector<PasswordConnector>()
const handle = 'ada.sandbox.test'
const signIn = (more: Partial<AppPassword> = {}) =>
  connector().signIn(stage.place(), { service: null, identifier: handle, password: appPasswordOf(handle), ...more })

describe('Bluesky', () => {
  it('connects: the account has its server, and tokens that say themselves when they end', async () => {
    const { identity, tokens, settings } = await signIn()
    expect(identity).toMatchObject({ externalId: expect.stringMatching(/^did:plc:/), username: handle })
    expect(settings).toEqual({ pds: stage.sandbox.urlsOf('bluesky').pds })
    expect(tokens).toMatchObject({
      accessEndsAt: '2026-11-20T14:00:00.000Z',
      refreshEndsAt: '2027-02-18T12:00:00.000Z',
    })
    expect(await connector().identify(stage.place(), tokens.access, settings)).toEqual(identity)
  })

  it('asks the server that the user names, with or without a slash at its end', async () => {
    const pds = stage.sandbox.urlsOf('bluesky').pds!
    const elsewhere = connector()
    expect((await signIn({ service: `${pds}/` })).settings).toEqual({ pds })
    await expect(signIn({ service: 'bsky.social' })).rejects.toMatchObject({ message: /https:/ })
    await expect(
      elsewhere.signIn(stage.place(), { service: 'http://127.0.0.1:1', identifier: handle, password: 'x' }),
    ).rejects.toThrow(NotSent)
  })

  it('does not connect with a wrong password', async () => {
    await expect(signIn({ password: 'wrong' })).rejects.toMatchObject({
      code: 'warning-publish-auth',
      message: expect.stringContaining('Invalid identifier or password'),
    })
  })

  it('renews with a token that is taken once', async () => {
    const { tokens, settings } = await signIn()
    const renewal = await connector().renew(stage.place(), tokens, settings)
    if (renewal.kind !== 'renewed') throw new Error('It was refused.')
    expect(stage.sandbox.tokens.check('bluesky', renewal.tokens.access)).toMatchObject({ username: handle })
    expect(await connector().renew(stage.place(), tokens, settings)).toEqual({ kind: 'refused' })
    expect((await connector().renew(stage.place(), renewal.tokens, settings)).kind).toBe('renewed')
  })

  it('knows nobody by a token that has ended or was taken back, and does not renew it then', async () => {
    const { tokens, settings } = await signIn()
    stage.sandbox.tokens.expire(tokens.access)
    expect(await connector().identify(stage.place(), tokens.access, settings)).toBeNull()
    stage.sandbox.tokens.revoke(tokens.access)
    expect(await connector().identify(stage.place(), tokens.access, settings)).toBeNull()
    expect(await connector().renew(stage.place(), tokens, settings)).toEqual({ kind: 'refused' })
  })

  it('says whether the server can have acted when it is down', async () => {
    const { tokens, settings } = await signIn()
    stage.fault('token', 'http:503')
    await expect(connector().renew(stage.place(), tokens, settings)).rejects.toThrow(NoAnswer)
    stage.fault('token', 'rate-limit')
    await expect(connector().renew(stage.place(), tokens, settings)).rejects.toThrow(NotSent)
    expect((await connector().renew(stage.place(), tokens, settings)).kind).toBe('renewed')
  })
})
