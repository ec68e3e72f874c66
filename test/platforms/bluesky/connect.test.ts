/** Bluesky: an account is connected with an app password, which is used once, and so is each refresh token. */
import { describe, expect, it } from 'vitest'
import type { AppPassword, PasswordConnector } from '../../../lib/platforms/connector.ts'
import { NoResponse, NotSent } from '../../../lib/platforms/failures.ts'
import { appPasswordOf } from '../../../local/sandbox/platforms/bluesky/sessions.ts'
import { useConnectorHarness } from '../shared/connector-harness.ts'

const harness = useConnectorHarness('bluesky')
const connector = () => harness.connector<PasswordConnector>()
const handle = 'ada.sandbox.test'
const signIn = (more: Partial<AppPassword> = {}) =>
  connector().signIn(harness.deps(), { service: null, identifier: handle, password: appPasswordOf(handle), ...more })

describe('Bluesky', () => {
  it('connects: the account has its server, and tokens that contain their expiry', async () => {
    const { identity, tokens, settings } = await signIn()
    expect(identity).toMatchObject({ externalId: expect.stringMatching(/^did:plc:/), username: handle })
    expect(settings).toEqual({ pds: harness.sandbox.urlsOf('bluesky').pds })
    expect(tokens).toMatchObject({
      accessEndsAt: '2026-11-20T14:00:00.000Z',
      refreshEndsAt: '2027-02-18T12:00:00.000Z',
    })
    expect(await connector().identify(harness.deps(), tokens.access, settings)).toEqual(identity)
  })

  it('uses the server that the user names, with or without a trailing slash', async () => {
    const pds = harness.sandbox.urlsOf('bluesky').pds!
    const elsewhere = connector()
    expect((await signIn({ service: `${pds}/` })).settings).toEqual({ pds })
    await expect(signIn({ service: 'bsky.social' })).rejects.toMatchObject({ message: /https:/ })
    await expect(
      elsewhere.signIn(harness.deps(), { service: 'http://127.0.0.1:1', identifier: handle, password: 'x' }),
    ).rejects.toThrow(NotSent)
  })

  it('rejects a wrong password', async () => {
    await expect(signIn({ password: 'wrong' })).rejects.toMatchObject({
      code: 'warning-publish-auth',
      message: expect.stringContaining('Invalid identifier or password'),
    })
  })

  it('renews with a single-use refresh token', async () => {
    const { tokens, settings } = await signIn()
    const renewal = await connector().refresh(harness.deps(), tokens, settings)
    if (renewal.kind !== 'renewed') throw new Error('It was refused.')
    expect(harness.sandbox.tokens.verify('bluesky', renewal.tokens.access)).toMatchObject({ username: handle })
    expect(await connector().refresh(harness.deps(), tokens, settings)).toEqual({ kind: 'refused' })
    expect((await connector().refresh(harness.deps(), renewal.tokens, settings)).kind).toBe('renewed')
  })

  it('rejects an expired or revoked token, and does not renew it', async () => {
    const { tokens, settings } = await signIn()
    harness.sandbox.tokens.expire(tokens.access)
    expect(await connector().identify(harness.deps(), tokens.access, settings)).toBeNull()
    harness.sandbox.tokens.revoke(tokens.access)
    expect(await connector().identify(harness.deps(), tokens.access, settings)).toBeNull()
    expect(await connector().refresh(harness.deps(), tokens, settings)).toEqual({ kind: 'refused' })
  })

  it('reports whether a failing server may have acted', async () => {
    const { tokens, settings } = await signIn()
    harness.fault('token', 'http:503')
    await expect(connector().refresh(harness.deps(), tokens, settings)).rejects.toThrow(NoResponse)
    harness.fault('token', 'rate-limit')
    await expect(connector().refresh(harness.deps(), tokens, settings)).rejects.toThrow(NotSent)
    expect((await connector().refresh(harness.deps(), tokens, settings)).kind).toBe('renewed')
  })
})
