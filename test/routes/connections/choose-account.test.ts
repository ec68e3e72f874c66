/** Choosing one of several accounts on the page that the platform redirects to. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, inject, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { hashState } from '../../../lib/domain/accounts/pending-connection.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { choicePage } from '../../../lib/http/connection-pages.ts'
import { table, tableName } from '../../../lib/store/core/client.ts'
import { keys } from '../../../lib/store/core/keys.ts'
import { consumePendingConnection, putPendingConnection } from '../../../lib/store/pending-connections.ts'
import { getProfile } from '../../../lib/store/profiles.ts'
import { addProfile } from '../../../lib/use-cases/accounts/add-profile.ts'
import { callApi, newWorld } from '../../support/world.ts'

type PagesPlatform = 'facebook' | 'instagram'

/** Grace of the sandbox has two Pages, and comes back to choose. */
async function graceComesBack(platform: PagesPlatform) {
  const { workspaceId, apiKey: key } = await newWorld()
  const { id: profileId } = await addProfile(workspaceId, { name: 'Shop' })
  const { body } = await callApi('POST', `/profiles/${profileId}/connections`, { key, body: { platform } })
  const address: string = body.data.url
  const form = new URLSearchParams(new URL(address).search)
  for (const scope of form.get('scope')!.split(',')) form.append('allow', scope)
  form.set('user', '7000002')
  form.set('decision', 'allow')
  const consented = await fetch(address, { method: 'POST', body: form, redirect: 'manual' })
  const back = consented.headers.get('location')!
  const response = await fetch(back)
  const html = await response.text()
  const state = /name="state" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const accounts = [...html.matchAll(/<button name="account" value="([^"]+)">([^<]+)</g)]
  return {
    back,
    state,
    response,
    html,
    offered: accounts.map(([, externalId, name]) => [externalId!, name!] as const),
    choose: async (externalId: string, fields: { state?: string; platform?: string } = {}) => {
      const query = new URLSearchParams({ state: fields.state ?? state, account: externalId })
      const chosen = await fetch(`${inject('baseUrl')}/connections/${fields.platform ?? platform}/callback?${query}`)
      return { status: chosen.status, html: await chosen.text() }
    },
    connected: async () => (await getProfile(workspaceId, profileId)).accounts.map(({ username }) => username),
  }
}

describe.each(['facebook', 'instagram'] as const)('of two accounts behind Pages on %s', (platform) => {
  it('the one that the user chose is connected, and no other', async () => {
    const visit = await graceComesBack(platform)
    expect(visit.response.status).toBe(200)
    expect(visit.offered).toEqual([
      ['7000002', 'grace'],
      ['70000022', 'grace.studio'],
    ])
    expect(await visit.connected()).toEqual([])
    const { status, html } = await visit.choose('70000022')
    expect([status, html]).toEqual([200, expect.stringContaining('as grace.studio')])
    expect(await visit.connected()).toEqual(['grace.studio'])
  })
})

describe('the choice', () => {
  const over = { status: 404, html: expect.stringContaining('This link has expired') }

  it('is made once: of two clicks one counts', async () => {
    const visit = await graceComesBack('facebook')
    const clicks = await Promise.all([visit.choose('7000002'), visit.choose('70000022')])
    expect(clicks.map(({ status }) => status).toSorted()).toEqual([200, 404])
    expect(await visit.connected()).toHaveLength(1)
    expect(await visit.choose('7000002')).toMatchObject(over)
  })

  it('404 to an account that was not offered, and to another platform; either uses it up', async () => {
    for (const [externalId, wrong] of [['4711', {}] as const, ['7000002', { platform: 'instagram' }] as const]) {
      const visit = await graceComesBack('facebook')
      expect(await visit.choose(externalId, wrong)).toMatchObject(over)
      expect(await visit.choose('7000002')).toMatchObject(over)
      expect(await visit.connected()).toEqual([])
    }
  })

  it('404 after ten minutes', async () => {
    const visit = await graceComesBack('facebook')
    const hash = hashState(visit.state)
    await putPendingConnection(hash, { ...(await consumePendingConnection(hash))!, expiresAt: secondsAfter(now(), -1) })
    expect(await visit.choose('7000002')).toMatchObject(over)
  })

  it('404 to the state of a user who is still at the platform, and to a code for that of the choice', async () => {
    const { workspaceId, apiKey: key } = await newWorld()
    const { id } = await addProfile(workspaceId, { name: 'Shop' })
    const { body } = await callApi('POST', `/profiles/${id}/connections`, { key, body: { platform: 'facebook' } })
    const visit = await graceComesBack('facebook')
    const away = new URL(body.data.url).searchParams.get('state')!
    expect(await visit.choose('7000002', { state: away })).toMatchObject(over)
    const address = `${inject('baseUrl')}/connections/facebook/callback?state=${visit.state}&code=1`
    expect((await fetch(address)).status).toBe(404)
    expect(await visit.connected()).toEqual([])
  })

  it('stands under a state of its own, and what waits for it is sealed', async () => {
    const visit = await graceComesBack('facebook')
    expect(visit.back).not.toContain(visit.state)
    expect((await fetch(visit.back)).status).toBe(404)
    const Key = keys.pendingConnection(hashState(visit.state))
    const { Item } = await table.send(new GetCommand({ TableName: tableName(), Key }))
    expect(Item).toMatchObject({ platform: 'facebook', sealedAccounts: expect.stringMatching(/^v1\./) })
    expect(JSON.stringify(Item)).not.toContain('grace')
  })
})

describe('the page of the choice', () => {
  it('leads nowhere but back to where it is, and follows nothing by itself', async () => {
    const { response, html } = await graceComesBack('facebook')
    expect(response.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(html).not.toMatch(/(?:src|href|action)=/)
  })

  it('shows names as text, never as a page of somebody else', () => {
    const attack = '"><script>alert(1)</script>'
    const account = { externalId: attack, username: attack, displayName: attack, pictureUrl: null }
    const { html } = choicePage(
      { name: 'Facebook', color: '#1877f2' },
      { state: attack, accounts: [account], workspaceName: attack, profileName: attack },
    )
    expect(html).not.toContain('<script')
    expect(html).not.toContain('"">')
  })
})
