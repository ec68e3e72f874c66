/** Guarantees of every connector with a consent page on its platform. */
import { describe, expect, it } from 'vitest'
import { type PlatformId, platforms } from '../../../lib/domain/core/platform.ts'
import type { ConnectedAccount } from '../../../lib/platforms/connector.ts'
import { NoResponse, NotSent } from '../../../lib/platforms/failures.ts'
import { type ConnectorHarness, sandboxClientOf, useConnectorHarness } from './connector-harness.ts'

const isConsent = ({ id }: { id: PlatformId }) => id !== 'bluesky'
const notConnected = { name: 'Refusal', code: 'warning-publish-auth', extras: { action: 'connect' } }
const dayMs = 86_400_000

async function connect(harness: ConnectorHarness): Promise<ConnectedAccount> {
  const consent = harness.consent()
  const back = await harness.grantConsent(consent)
  return exchangeAt(harness, consent, back.get('code')!)
}

/** Each user of these tests has one account. */
async function exchangeAt(
  harness: ConnectorHarness,
  consent: ReturnType<ConnectorHarness['consent']>,
  code: string,
): Promise<ConnectedAccount> {
  const [connected, ...others] = await harness.connector().exchange(harness.deps(), consent, code)
  expect(others).toEqual([])
  return connected!
}

describe.each(platforms.filter(isConsent))('$name', ({ id: platform }) => {
  const harness = useConnectorHarness(platform)
  /** The platform issues no refresh token. */
  const isNotRenewed = ['facebook', 'instagram', 'linkedin'].includes(platform)
  const exchange = (...args: [consent: ReturnType<ConnectorHarness['consent']>, code: string]) =>
    exchangeAt(harness, ...args)

  it('connects: the state is returned, and a code becomes an account whose token the platform accepts', async () => {
    const consent = harness.consent()
    const back = await harness.grantConsent(consent)
    expect(back.get('state')).toBe(consent.state)
    const { identity, tokens } = await exchange(consent, back.get('code')!)
    expect(identity.username).toBe('ada')
    expect(identity.externalId).toContain('7000001')
    const user = harness.sandbox.tokens.verify(platform, tokens.access)
    expect(user).toMatchObject({ externalId: identity.externalId })
    expect(await harness.connector().identify(harness.deps(), tokens.access, {})).toEqual(identity)
    const seconds = harness.sandbox.platforms.find(({ id }) => id === platform)!.tokenSeconds
    const endsAt = seconds === null ? null : new Date(harness.sandbox.clock.now() + seconds * 1000).toISOString()
    expect(tokens.accessEndsAt).toBe(endsAt)
  })

  it('redirects a user who declines without a code', async () => {
    const back = await harness.decide(harness.consent(), { allow: () => [], decision: 'deny' })
    expect([back.get('error'), back.has('code')]).toEqual(['access_denied', false])
  })

  it('rejects a code that was made up, used, expired, or issued for another redirect URI', async () => {
    const consent = harness.consent()
    const code = (await harness.grantConsent(consent)).get('code')!
    await exchange(consent, code)
    await expect(exchange(consent, code)).rejects.toMatchObject(notConnected)
    await expect(exchange(consent, 'made-up')).rejects.toMatchObject(notConnected)
    const elsewhere = { ...consent, redirectUri: 'https://evil.example.com/callback' }
    await expect(exchange(elsewhere, (await harness.grantConsent(consent)).get('code')!)).rejects.toMatchObject(
      notConnected,
    )
    const late = (await harness.grantConsent(consent)).get('code')!
    harness.sandbox.clock.advance(platform === 'twitter' ? 30_000 : 1_800_000)
    await expect(exchange(consent, late)).rejects.toMatchObject(notConnected)
  })

  it('reports a wrong client secret as a fault of the deployment, not of the user', async () => {
    const consent = harness.consent()
    const code = (await harness.grantConsent(consent)).get('code')!
    const wrong = harness.deps({ ...sandboxClientOf(platform), secret: 'wrong' })
    await expect(harness.connector().exchange(wrong, consent, code)).rejects.toThrow(/refuses the client/)
  })

  // Threads does not report the granted scopes.
  it.skipIf(platform === 'threads')('rejects a grant without the scopes for publishing', async () => {
    const consent = harness.consent()
    const back = await harness.decide(consent, { allow: (scopes) => scopes.slice(0, 1) })
    await expect(exchange(consent, back.get('code')!)).rejects.toMatchObject(notConnected)
  })

  it('reports whether a failing platform may have acted', async () => {
    for (const kind of ['http:503', 'reset-before', 'reset-after', 'truncate', 'bad-json']) {
      const consent = harness.consent()
      const code = (await harness.grantConsent(consent)).get('code')!
      harness.fault('token', kind)
      await expect(exchange(consent, code), kind).rejects.toThrow(NoResponse)
    }
    const { tokens } = await connect(harness)
    harness.fault('identity', 'http:502')
    await expect(harness.connector().identify(harness.deps(), tokens.access, {})).rejects.toThrow(NoResponse)
    harness.fault('identity', 'rate-limit')
    const limited = harness.connector().identify(harness.deps(), tokens.access, {})
    // YouTube reports it with an ambiguous status.
    await expect(limited).rejects.toThrow(platform === 'youtube' ? /403/ : NotSent)
  })

  it('rejects an expired or revoked token', async () => {
    const { tokens } = await connect(harness)
    harness.sandbox.tokens.expire(tokens.access)
    expect(await harness.connector().identify(harness.deps(), tokens.access, {})).toBeNull()
    const second = await connect(harness)
    harness.sandbox.tokens.revoke(second.tokens.access)
    expect(await harness.connector().identify(harness.deps(), second.tokens.access, {})).toBeNull()
    expect(await harness.connector().identify(harness.deps(), 'made-up', {})).toBeNull()
  })

  it('renews a token as long as the platform allows it', async () => {
    const { tokens, identity } = await connect(harness)
    harness.sandbox.clock.advance(2 * dayMs)
    const renewal = await harness.connector().refresh(harness.deps(), tokens, {})
    if (isNotRenewed) return expect(renewal).toEqual({ kind: 'refused' })
    if (renewal.kind !== 'renewed') throw new Error('It was refused.')
    expect(renewal.tokens.access).not.toBe(tokens.access)
    expect(harness.sandbox.tokens.verify(platform, renewal.tokens.access)).toMatchObject({
      externalId: identity.externalId,
    })
    const again = await harness.connector().refresh(harness.deps(), renewal.tokens, {})
    expect(again.kind).toBe('renewed')
  })

  it.skipIf(isNotRenewed)('does not treat a transport error as a refusal', async () => {
    const { tokens } = await connect(harness)
    harness.sandbox.clock.advance(2 * dayMs)
    harness.sandbox.tokens.revoke(tokens.access)
    harness.fault(platform === 'threads' ? 'renew' : 'token', 'bad-json')
    await expect(harness.connector().refresh(harness.deps(), tokens, {})).rejects.toThrow(NoResponse)
  })

  it('does not renew a revoked token', async () => {
    const { tokens } = await connect(harness)
    harness.sandbox.clock.advance(2 * dayMs)
    harness.sandbox.tokens.revoke(tokens.access)
    expect(await harness.connector().refresh(harness.deps(), tokens, {})).toEqual({ kind: 'refused' })
  })
})

describe.each(['tiktok', 'twitter', 'pinterest'] as const)('%s', (platform) => {
  const harness = useConnectorHarness(platform)

  it('accepts a refresh token once, and returns another one with its own expiry', async () => {
    const { tokens } = await connect(harness)
    const first = await harness.connector().refresh(harness.deps(), tokens, {})
    if (first.kind !== 'renewed') throw new Error('It was refused.')
    expect(first.tokens.refresh).not.toBe(tokens.refresh)
    expect(await harness.connector().refresh(harness.deps(), tokens, {})).toEqual({ kind: 'refused' })
    expect((await harness.connector().refresh(harness.deps(), first.tokens, {})).kind).toBe('renewed')
  })
})

describe.each(['youtube', 'reddit'] as const)('%s', (platform) => {
  const harness = useConnectorHarness(platform)

  it('returns no new refresh token: the first one is kept', async () => {
    const { tokens } = await connect(harness)
    const renewal = await harness.connector().refresh(harness.deps(), tokens, {})
    expect(renewal).toMatchObject({ kind: 'renewed', tokens: { refresh: tokens.refresh, refreshEndsAt: null } })
  })
})

describe.each(['youtube', 'twitter'] as const)('%s', (platform) => {
  const harness = useConnectorHarness(platform)

  it('returns nothing for a code without its verifier', async () => {
    const consent = harness.consent()
    const code = (await harness.grantConsent(consent)).get('code')!
    const guessed = { ...consent, verifier: 'another-verifier-that-is-just-as-long-as-it' }
    await expect(harness.connector().exchange(harness.deps(), guessed, code)).rejects.toMatchObject(notConnected)
  })
})

describe('the initial settings of an account', () => {
  const [pinterest, reddit] = [useConnectorHarness('pinterest'), useConnectorHarness('reddit')]

  it("are the first board on Pinterest, and the user's profile on Reddit", async () => {
    expect((await connect(pinterest)).settings).toEqual({ board: '7000001001' })
    expect((await connect(reddit)).settings).toEqual({ subreddit: 'u_ada' })
  })

  it('have no board when the user has none', async () => {
    pinterest.fault('boards', 'fail:no-board')
    expect((await connect(pinterest)).settings).toEqual({})
  })
})

describe('a user without an account', () => {
  const [youtube, facebook, instagram] = [
    useConnectorHarness('youtube'),
    useConnectorHarness('facebook'),
    useConnectorHarness('instagram'),
  ]

  it('gets a message that names the missing account', async () => {
    youtube.fault('identity', 'fail')
    await expect(connect(youtube)).rejects.toMatchObject({ ...notConnected, message: /no YouTube channel/ })
    facebook.fault('pages', 'fail')
    await expect(connect(facebook)).rejects.toMatchObject({ ...notConnected, message: /no Facebook Page/ })
    facebook.fault('pages', 'fail:reader')
    await expect(connect(facebook)).rejects.toMatchObject({ ...notConnected, message: /no Facebook Page/ })
    instagram.fault('pages', 'fail')
    await expect(connect(instagram)).rejects.toMatchObject({ ...notConnected, message: /Instagram account/ })
  })
})

describe.each(['facebook', 'instagram'] as const)('%s', (platform) => {
  const harness = useConnectorHarness(platform)

  it('requests again what the user denied the last time', async () => {
    const address = await harness.connector().consentUrl(sandboxClientOf(platform), harness.consent())
    expect(new URL(address).searchParams.get('auth_type')).toBe('rerequest')
  })
})

describe('a token of Threads that is less than a day old', () => {
  const threads = useConnectorHarness('threads')

  it('is kept until it is a day old, and then renewed', async () => {
    const { tokens } = await connect(threads)
    expect(await threads.connector().refresh(threads.deps(), tokens, {})).toEqual({ kind: 'renewed', tokens })
    threads.sandbox.clock.advance(dayMs + 60_000)
    const renewal = await threads.connector().refresh(threads.deps(), tokens, {})
    expect(renewal).toMatchObject({ kind: 'renewed', tokens: { access: expect.not.stringMatching(tokens.access) } })
  })
})

describe('a user with several YouTube channels', () => {
  const youtube = useConnectorHarness('youtube')

  it('chooses one of them at Google', async () => {
    const address = await youtube.connector().consentUrl(sandboxClientOf('youtube'), youtube.consent())
    expect(new URL(address).searchParams.get('prompt')?.split(' ')).toContain('select_account')
  })
})

describe('a user with only view access to the first Page', () => {
  const facebook = useConnectorHarness('facebook')

  it('is connected with the next Page, despite the missing token of the first', async () => {
    facebook.fault('pages', 'fail:guest')
    expect((await connect(facebook)).identity).toMatchObject({ username: 'ada', externalId: '7000001' })
  })
})

describe('a TikTok creator who has reached the daily limit', () => {
  const tiktok = useConnectorHarness('tiktok')

  it('can still connect, and keeps the known name', async () => {
    tiktok.fault('creator', 'http:403')
    const { identity, tokens } = await connect(tiktok)
    expect(identity).toMatchObject({ externalId: '7000001', username: identity.displayName })
    tiktok.fault('creator', 'http:403')
    await expect(tiktok.connector().identify(tiktok.deps(), tokens.access, {})).rejects.toThrow(NotSent)
    expect(await tiktok.connector().identify(tiktok.deps(), tokens.access, {})).toMatchObject({ username: 'ada' })
  })
})

describe('publishing calls', () => {
  const harness = useConnectorHarness('threads')

  it('require their scope', async () => {
    const consent = harness.consent()
    const back = await harness.decide(consent, { allow: () => ['threads_basic'] })
    const { tokens, identity } = await exchangeAt(harness, consent, back.get('code')!)
    const { graph } = harness.sandbox.urlsOf('threads')
    const answered = await harness.deps().http({
      method: 'POST',
      url: `${graph}/${identity.externalId}/threads`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(`access_token=${tokens.access}`),
    })
    expect([answered.status, JSON.parse(Buffer.from(answered.body).toString()).error.code]).toEqual([400, 10])
  })
})
