/** The sandbox refuses what the platforms' documents do not describe, so that a connector that drifts is detected. */
import { describe, expect, it } from 'vitest'
import { type PlatformId, platforms } from '../../../lib/domain/core/platform.ts'
import type { ConsentConnector } from '../../../lib/platforms/connector.ts'
import { dialects } from '../../../local/sandbox/oauth/dialects.ts'
import { sandboxClientOf, useConnectorHarness } from './connector-harness.ts'

describe.each(platforms.filter(({ id }) => id !== 'bluesky'))('the consent page of $name', ({ id: platform }) => {
  const harness = useConnectorHarness(platform)
  const address = async () =>
    new URL(await harness.connector().consentUrl(sandboxClientOf(platform), harness.consent()))
  const statusOf = async (url: URL) => (await fetch(url, { redirect: 'manual' })).status

  it('asks the user for consent and shows the scopes', async () => {
    const url = await address()
    const response = await fetch(url)
    const html = await response.text()
    expect([response.status, html]).toEqual([200, expect.stringContaining('Continue as')])
    const scopes = url.searchParams.get('scope')!.split(/[ ,]/)
    for (const scope of scopes) expect(html).toContain(`value="${scope}"`)
  })

  it('checks the client, the redirect URI and the scopes, and accepts no other field', async () => {
    const wrongs: ((url: URL) => void)[] = [
      ({ searchParams }) => searchParams.set(platform === 'tiktok' ? 'client_key' : 'client_id', 'somebody'),
      ({ searchParams }) => searchParams.set('redirect_uri', 'https://evil.example.com/'),
      ({ searchParams }) => searchParams.set('scope', 'everything'),
      ({ searchParams }) => searchParams.set('response_type', 'token'),
      ({ searchParams }) => searchParams.set('surprise', '1'),
      ({ searchParams }) => searchParams.delete('state'),
    ]
    for (const wrong of wrongs) {
      const url = await address()
      wrong(url)
      url.searchParams.set('login_hint', 'auto')
      expect(await statusOf(url), url.href).toBe(400)
    }
  })

  it('is requested with every scope for publishing', async () => {
    const { requiredScopes: takes } = dialects[platform]!
    const ops = harness.sandbox.platforms.find(({ id }) => id === platform)!.operations.map(({ op }) => op)
    expect(ops).toEqual(expect.arrayContaining(Object.keys(takes)))
    const asked = (await address()).searchParams.get('scope')!.split(/[ ,]/)
    expect(asked).toEqual(expect.arrayContaining(Object.values(takes)))
  })

  it('escapes its parameters', async () => {
    const url = await address()
    url.searchParams.set('state', '"><script>alert(1)</script>')
    expect(await (await fetch(url)).text()).not.toContain('<script>')
    url.searchParams.set('<img onerror=alert(1)>', '1')
    expect(await (await fetch(url)).text()).not.toContain('<img')
  })
})

describe('the consent page of X', () => {
  const harness = useConnectorHarness('twitter')

  it('requires a challenge', async () => {
    const url = new URL(await harness.connector().consentUrl(sandboxClientOf('twitter'), harness.consent()))
    url.searchParams.delete('code_challenge')
    expect((await fetch(url)).status).toBe(400)
  })

  it('authenticates a client only by its header', async () => {
    const consent = harness.consent()
    const code = (await harness.grantConsent(consent)).get('code')!
    const { id, secret } = sandboxClientOf('twitter')
    const { redirectUri: redirect_uri, verifier: code_verifier } = consent
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri,
      code_verifier,
      client_id: id,
      client_secret: secret,
    }
    const token = `${harness.sandbox.urlsOf('twitter').api}/2/oauth2/token`
    const answered = await fetch(token, { method: 'POST', body: new URLSearchParams(form) })
    expect([answered.status, await answered.json()]).toMatchObject([401, { error: 'invalid_client' }])
  })
})

describe('an account that the sandbox connects itself', () => {
  const user = { externalId: '4711', username: 'eve' }
  const stages = platforms.map(
    ({ id }) => [id, useConnectorHarness(id)] as [PlatformId, ReturnType<typeof useConnectorHarness>],
  )

  it.each(stages)('of %s is known, and renewed if its platform renews tokens', async (platform, harness) => {
    const tokens = harness.sandbox.connect(platform, user)
    const connector = harness.connector<ConsentConnector>()
    const settings = { pds: harness.sandbox.urlsOf('bluesky').pds! }
    expect(await connector.identify(harness.deps(), tokens.access, settings)).toMatchObject({ username: 'eve' })
    harness.sandbox.clock.advance(25 * 3_600_000)
    const { kind } = await connector.refresh(harness.deps(), tokens, settings)
    expect(kind).toBe(['facebook', 'instagram', 'linkedin'].includes(platform) ? 'refused' : 'renewed')
  })
})
