/** Connecting an account over HTTP: the link for the user, and the page that the platform redirects to. */
import { createServer } from 'node:http'
import { inspect } from 'node:util'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { handler } from '../../../functions/api/connections/begin.ts'
import { now } from '../../../lib/clock.ts'
import { hashState } from '../../../lib/domain/accounts/pending-connection.ts'
import type { PlatformId } from '../../../lib/domain/core/platform.ts'
import { platforms } from '../../../lib/domain/core/platform.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { log } from '../../../lib/log.ts'
import { consumePendingConnection, putPendingConnection } from '../../../lib/store/pending-connections.ts'
import { getProfile } from '../../../lib/store/profiles.ts'
import { addProfile } from '../../../lib/use-cases/accounts/add-profile.ts'
import { connectWithPassword } from '../../../lib/use-cases/accounts/connect-account.ts'
import { listen } from '../../../local/listen.ts'
import { appPasswordOf } from '../../../local/sandbox/platforms/bluesky/sessions.ts'
import { noContext } from '../../support/api-event.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'

interface Begun {
  world: World
  profileId: string
  url: string
}

async function begin(platform: PlatformId): Promise<Begun> {
  const world = await newWorld()
  const { id: profileId } = await addProfile(world.workspaceId, { name: 'Shop' })
  const { status, body } = await callApi('POST', `/profiles/${profileId}/connections`, {
    key: world.apiKey,
    body: { platform },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return { world, profileId, url: body.data.url }
}

/** Where the platform sends a user who allows everything. */
async function allowed({ url }: Begun): Promise<string> {
  const response = await fetch(`${url}&login_hint=auto`, { redirect: 'manual' })
  return response.headers.get('location')!
}

async function visit(address: string) {
  const response = await fetch(address)
  return { status: response.status, html: await response.text(), headers: response.headers }
}

/** Confirms on the page of the callback that the account shall be connected. */
async function confirm(page: { html: string }, platform: string) {
  const state = /name="state" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
  const account = /<button name="account" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
  return visit(callback(platform, new URLSearchParams({ state, account }).toString()))
}

const accountsOf = async ({ world, profileId }: Begun) => (await getProfile(world.workspaceId, profileId)).accounts
const callback = (platform: string, query: string) => `${inject('baseUrl')}/connections/${platform}/callback?${query}`

describe('a connection', () => {
  it.each(platforms.filter(({ id }) => id !== 'bluesky'))('of $name ends with an account', async ({ id, name }) => {
    const begun = await begin(id)
    const page = await visit(await allowed(begun))
    expect(page.status).toBe(200)
    const { status, html } = await confirm(page, id)
    expect([status, html]).toEqual([200, expect.stringContaining(`Connected to ${name}`)])
    expect(await accountsOf(begun)).toMatchObject([{ platform: id, username: 'ada', health: 'connected' }])
  })

  it('is confirmed by the user who consented, on a page that names the workspace and the profile', async () => {
    const begun = await begin('tiktok')
    const { status, html } = await visit(await allowed(begun))
    expect([status, html]).toEqual([200, expect.stringContaining('Connect to TikTok?')])
    expect(html).toContain('The workspace “Test” will post videos as this account (profile “Shop”).')
    expect(html).toContain('ada')
    expect(await accountsOf(begun)).toEqual([])
    // The sender of the link knows its state, but not the one of the page.
    const state = new URL(begun.url).searchParams.get('state')!
    expect((await visit(callback('tiktok', `state=${state}&account=1`))).status).toBe(404)
    expect(await accountsOf(begun)).toEqual([])
  })

  it('of Bluesky is made with an app password alone', async () => {
    const world = await newWorld()
    const { id } = await addProfile(world.workspaceId, { name: 'Shop' })
    const sent = { key: world.apiKey, body: { platform: 'bluesky' } }
    expect(await callApi('POST', `/profiles/${id}/connections`, sent)).toMatchObject({
      status: 409,
      body: { error: { code: 'warning-invalid-input', message: expect.stringContaining('app password') } },
    })
    const identifier = 'ada.sandbox.test'
    const password = { service: null, identifier, password: appPasswordOf(identifier) }
    const account = await connectWithPassword(world.workspaceId, id, password)
    expect(account).toMatchObject({ platform: 'bluesky', username: identifier, health: 'connected' })
    const wrong = connectWithPassword(world.workspaceId, id, { ...password, password: 'x' })
    await expect(wrong).rejects.toMatchObject({ code: 'warning-publish-auth' })
  })

  it('503 where a server does not answer: why stands in the log alone, and the password nowhere', async () => {
    const { workspaceId } = await newWorld()
    const { id } = await addProfile(workspaceId, { name: 'Shop' })
    const warn = vi.spyOn(log, 'warn')
    onTestFinished(() => warn.mockRestore())
    const door = await listen(createServer(), 0)
    await door.stop()
    const password = { service: door.url, identifier: 'ada.sandbox.test', password: 'app-secret' }
    const message = 'Bluesky does not respond at the moment. Try again later.'
    const refused = connectWithPassword(workspaceId, id, password)
    await expect(refused).rejects.toMatchObject({ code: 'unavailable', message })
    // No server of anybody's is there.
    const inside = connectWithPassword(workspaceId, id, { ...password, service: 'https://169.254.169.254' })
    await expect(inside).rejects.toMatchObject({
      code: 'warning-invalid-input',
      message: expect.stringContaining('169'),
    })
    const told = inspect(warn.mock.calls, { depth: 9 })
    expect(told).toContain('ECONNREFUSED')
    expect(told).not.toContain(password.password)
  })

  it('begins at an address of the platform that is good for ten minutes and comes back to this API', async () => {
    const { url } = await begin('twitter')
    const asked = new URL(url).searchParams
    expect(asked.get('redirect_uri')).toBe(`${inject('baseUrl')}/connections/twitter/callback`)
    expect(asked.get('state')).toMatch(/^[\w-]{43}$/)
  })

  it('comes back to the name that the gateway was asked by', async () => {
    const { workspaceId, apiKey } = await newWorld()
    const { id } = await addProfile(workspaceId, { name: 'Shop' })
    const event = {
      pathParameters: { id },
      headers: { authorization: `Bearer ${apiKey}`, 'x-forwarded-proto': 'https' },
      requestContext: {
        domainName: 'api.example.com',
        requestId: '1',
        timeEpoch: 0,
        http: { method: 'POST', path: '/' },
      },
      body: JSON.stringify({ platform: 'reddit' }),
    }
    const { body } = await handler(event as unknown as APIGatewayProxyEventV2, noContext)
    const url = new URL(JSON.parse(body!).data.url)
    expect(url.searchParams.get('redirect_uri')).toBe('https://api.example.com/v1/connections/reddit/callback')
  })

  it('404 to a profile of somebody else', async () => {
    const { profileId } = await begin('tiktok')
    const { apiKey: key } = await newWorld()
    const answer = await callApi('POST', `/profiles/${profileId}/connections`, { key, body: { platform: 'tiktok' } })
    expect(answer.status).toBe(404)
  })

  it('connects the same account again under the same id', async () => {
    const begun = await begin('reddit')
    await confirm(await visit(await allowed(begun)), 'reddit')
    const [first] = await accountsOf(begun)
    const sent = { key: begun.world.apiKey, body: { platform: 'reddit' } }
    const { body } = await callApi('POST', `/profiles/${begun.profileId}/connections`, sent)
    await confirm(await visit(await allowed({ ...begun, url: body.data.url })), 'reddit')
    expect((await accountsOf(begun)).map(({ id }) => id)).toEqual([first!.id])
  })
})

describe('the page that users come back to', () => {
  const over = [404, expect.stringContaining('This link has expired')]

  it('takes a state once, of two who come at the same time one', async () => {
    const begun = await begin('tiktok')
    const address = await allowed(begun)
    const pages = await Promise.all([visit(address), visit(address)])
    expect(pages.map(({ status }) => status).toSorted()).toEqual([200, 404])
    const { status, html } = await visit(address)
    expect([status, html]).toEqual(over)
  })

  it('404 to a state that was made up, is missing, or is for another platform', async () => {
    const begun = await begin('youtube')
    const address = await allowed(begun)
    for (const wrong of [
      callback('youtube', 'state=made-up&code=1'),
      callback('youtube', 'code=1'),
      callback('nowhere', 'state=1'),
    ])
      expect((await visit(wrong)).status).toBe(404)
    const { status, html } = await visit(address.replace('/youtube/', '/twitter/'))
    expect([status, html]).toEqual(over)
    // That used it up.
    expect((await visit(address)).status).toBe(404)
    expect(await accountsOf(begun)).toEqual([])
  })

  it('404 after ten minutes', async () => {
    const begun = await begin('pinterest')
    const address = await allowed(begun)
    const hash = hashState(new URL(address).searchParams.get('state')!)
    const pending = await consumePendingConnection(hash)
    await putPendingConnection(hash, { ...pending!, expiresAt: secondsAfter(now(), -1) })
    const { status, html } = await visit(address)
    expect([status, html]).toEqual(over)
  })

  it('403 to a user who said no, whose link is over then', async () => {
    const begun = await begin('threads')
    const state = new URL(begun.url).searchParams.get('state')!
    const denied = await visit(callback('threads', `error=access_denied&state=${state}`))
    expect([denied.status, denied.html]).toEqual([403, expect.stringContaining('No account was connected')])
    expect((await visit(callback('threads', `state=${state}&code=1`))).status).toBe(404)
  })

  it('409 to a code that the platform did not give', async () => {
    const begun = await begin('facebook')
    const state = new URL(begun.url).searchParams.get('state')!
    const { status, html } = await visit(callback('facebook', `state=${state}&code=made-up`))
    expect([status, html]).toEqual([409, expect.stringContaining('Not connected')])
    expect(await accountsOf(begun)).toEqual([])
  })

  it('repeats nothing of what stands in the address', async () => {
    const attack = '"><script>alert(1)</script>'
    const begun = await begin('linkedin')
    const state = new URL(begun.url).searchParams.get('state')!
    const sent = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
    const pages = await Promise.all([
      visit(callback('linkedin', sent({ state: attack, code: attack, error: attack }))),
      visit(callback('linkedin', sent({ state, error: attack, error_description: attack }))),
      visit(callback(encodeURIComponent(attack), sent({ state: 'x' }))),
    ])
    for (const { status, html } of pages) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(html).not.toContain('script')
      expect(html).not.toContain('alert')
    }
  })

  it('loads nothing, runs nothing, is kept nowhere and tells nobody where it was', async () => {
    for (const address of [await allowed(await begin('twitter')), callback('twitter', 'state=x')]) {
      const { headers, html } = await visit(address)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /)
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.has('x-request-id')).toBe(true)
      expect(html).not.toMatch(/(?:src|href)=/)
    }
  })
})
