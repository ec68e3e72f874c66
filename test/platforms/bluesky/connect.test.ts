/** Bluesky: connected by an app password, which is used once; its refresh tokens are, too. */
import { describe, expect, it } from 'vitest'
import type { AppPassword, PasswordConnector } from '../../../lib/platforms/connector.ts'
import { NoResponse, NotSent } from '../../../lib/platforms/failures.ts'
import { appPasswordOf } from '../../../local/sandbox/platforms/bluesky/sessions.ts'
import { useConnectorHarness } from '../shared/connector-harness.ts'

const stage = useConnectorHarness('bluesky')
const connector = () => stage.connector<PasswordConnector>()
const handle = 'ada.sandbox.test'
const signIn = (more: Partial<AppPassword> = {}) =>
  connector().signIn(stage.deps(), { service: null, identifier: handle, password: appPasswordOf(handle), ...more })

describe('Bluesky', () => {
  it('connects: the account has its server, and tokens that say themselves when they end', async () => {
    const { identity, tokens, settings } = await signIn()
    expect(identity).toMatchObject({ externalId: expect.stringMatching(/^did:plc:/), username: handle })
    expect(settings).toEqual({ pds: stage.sandbox.urlsOf('bluesky').pds })
    expect(tokens).toMatchObject({
      accessEndsAt: '2026-11-20T14:00:00.000Z',
      refreshEndsAt: '2027-02-18T12:00:00.000Z',
    })
    expect(await connector().identify(stage.deps(), tokens.access, settings)).toEqual(identity)
  })

  it('asks the server that the user names, with or without a slash at its end', async () => {
    const pds = stage.sandbox.urlsOf('bluesky').pds!
    const elsewhere = connector()
    expect((await signIn({ service: `${pds}/` })).settings).toEqual({ pds })
    await expect(signIn({ service: 'bsky.social' })).rejects.toMatchObject({ message: /https:/ })
    await expect(
      elsewhere.signIn(stage.deps(), { service: 'http://127.0.0.1:1', identifier: handle, password: 'x' }),
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
    const renewal = await connector().refresh(stage.deps(), tokens, settings)
    if (renewal.kind !== 'renewed') throw new Error('It was refused.')
    expect(stage.sandbox.tokens.verify('bluesky', renewal.tokens.access)).toMatchObject({ username: handle })
    expect(await connector().refresh(stage.deps(), tokens, settings)).toEqual({ kind: 'refused' })
    expect((await connector().refresh(stage.deps(), renewal.tokens, settings)).kind).toBe('renewed')
  })

  it('knows nobody by a token that has ended or was taken back, and does not renew it then', async () => {
    const { tokens, settings } = await signIn()
    stage.sandbox.tokens.expire(tokens.access)
    expect(await connector().identify(stage.deps(), tokens.access, settings)).toBeNull()
    stage.sandbox.tokens.revoke(tokens.access)
    expect(await connector().identify(stage.deps(), tokens.access, settings)).toBeNull()
    expect(await connector().refresh(stage.deps(), tokens, settings)).toEqual({ kind: 'refused' })
  })

  it('says whether the server can have acted when it is down', async () => {
    const { tokens, settings } = await signIn()
    stage.fault('token', 'http:503')
    await expect(connector().refresh(stage.deps(), tokens, settings)).rejects.toThrow(NoResponse)
    stage.fault('token', 'rate-limit')
    await expect(connector().refresh(stage.deps(), tokens, settings)).rejects.toThrow(NotSent)
    expect((await connector().refresh(stage.deps(), tokens, settings)).kind).toBe('renewed')
  })
})
