/** The operator's commands for profiles and accounts, as processes of their own beside a local run. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProfileResource } from '../../lib/api/profile-resources.ts'
import { platforms } from '../../lib/domain/platform.ts'
import { appPasswordOf } from '../../local/sandbox/oauth/bluesky.ts'
import { admin, adminTold, ask, newDirectory, type Service, startService } from '../pipelines/service.ts'
import { runScript } from './support.ts'

const { directory, remove } = newDirectory()
let service: Service
let profile: ProfileResource
beforeAll(async () => {
  service = await startService(directory)
  const { workspaceId } = service.runtime
  profile = await run('profile', 'create', '--workspace', workspaceId, '--name', 'Second', '--color', '#00AA00')
}, 60_000)
afterAll(async () => {
  await service.stop()
  remove()
})

const run = <Result = Record<string, unknown>>(...words: string[]) => admin<Result>(directory, ...words)
const ofAccount = (platform: string) => ['--profile', profile.id, '--platform', platform]
const shown = () => ask<ProfileResource>(service.runtime, 'GET', `/profiles/${profile.id}`)

describe("the operator's commands", () => {
  it('make a profile beside the one of the local run, and show it as the API does', async () => {
    expect(profile).toEqual({ ...(await shown()), name: 'Second', color: '#00aa00', isDefault: false, accounts: [] })
    const { workspaceId } = service.runtime
    const listed = await run<ProfileResource[]>('profile', 'list', '--workspace', workspaceId)
    expect(listed.map(({ id }) => id)).toEqual([service.runtime.profileId, profile.id])
    expect(await run('profile', 'show', '--profile', profile.id)).toEqual(profile)
  })

  it('find a profile by its id alone, in whatever workspace it is', async () => {
    const { id: workspace } = await run('workspace', 'create', '--name', 'Other', '--plan', 'pro')
    const made = await run('profile', 'create', '--workspace', String(workspace), '--name', 'Elsewhere')
    expect(made).toMatchObject({ isDefault: true })
    expect(await run('profile', 'show', '--profile', String(made.id))).toEqual(made)
    const there = await run('profile', 'show', '--profile', String(made.id), '--workspace', String(workspace))
    expect(there).toEqual(made)
  })

  it('connect an account of the sandbox, set it up, expire it, connect it again and disconnect it', async () => {
    const account = await run('account', 'connect', ...ofAccount('pinterest'), '--sandbox')
    expect(account).toMatchObject({ platform: 'pinterest', health: 'connected', profileId: profile.id })
    const set = await run(
      'account',
      'set',
      '--account',
      String(account.id),
      '--setting',
      'title=A=B',
      '--setting',
      'x=1',
    )
    expect(set.settings).toMatchObject({ title: 'A=B', x: '1' })
    const cleared = await run('account', 'set', ...ofAccount('pinterest'), '--setting', 'x=')
    expect(cleared.settings).toEqual({ ...(set.settings as object), x: undefined })

    expect(await run('account', 'expire', '--account', String(account.id))).toMatchObject({ health: 'expired' })
    expect((await shown()).accounts).toMatchObject([{ id: account.id, health: 'expired' }])
    const again = await run('account', 'connect', ...ofAccount('pinterest'), '--sandbox')
    expect(again).toMatchObject({ id: account.id, health: 'connected', settings: { title: 'A=B' } })

    await run('account', 'disconnect', '--account', String(account.id))
    expect((await shown()).accounts).toEqual([])
  })

  it('send the user to the platform, who comes back to this service', async () => {
    const { url, expiresAt } = await run<{ url: string; expiresAt: string }>(
      'account',
      'connect',
      ...ofAccount('tiktok'),
    )
    const redirect = new URL(new URL(url).searchParams.get('redirect_uri')!)
    expect(`${redirect}`).toBe(`${service.runtime.baseUrl}/connections/tiktok/callback`)
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now())
  })

  it('connect an account of Bluesky by its app password, which is told to standard input alone', async () => {
    const identifier = 'ada.sandbox.test'
    const words = ['account', 'connect', ...ofAccount('bluesky'), '--identifier', identifier]
    const told = (input: string) => adminTold<Record<string, unknown>>(directory, input, ...words)
    expect(await told('')).toMatchObject({ error: { message: expect.stringMatching(/standard input/) } })
    expect(await told('wrong\n')).toMatchObject({ error: { code: 'warning-publish-auth' } })
    const account = await told(`${appPasswordOf(identifier)}\n`)
    expect(account).toMatchObject({ platform: 'bluesky', username: identifier, health: 'connected' })
    const seen = runScript('admin.ts', [...words, '--password', appPasswordOf(identifier)], directory)
    expect([await seen.ended, seen.errors()]).toEqual([1, expect.stringContaining("Unknown option '--password'")])
  })

  it('connect an account by way of Zernio, whose key is told to standard input alone', async () => {
    const { externalId, username } = { externalId: '64e1f0000000000000000001', username: 'ada' }
    const [url] = Object.values(service.runtime.platformUrls.linkedin ?? {})
    const made = await fetch(new URL('/__sandbox/accounts', url), {
      method: 'POST',
      body: JSON.stringify({ platform: 'linkedin', externalId, username }),
    })
    const { access } = (await made.json()) as { access: string }
    const words = ['account', 'connect', ...ofAccount('linkedin'), '--via', 'zernio', '--identifier', externalId]
    const told = (input: string) => adminTold<Record<string, unknown>>(directory, `${input}\n`, ...words)
    expect(await told('wrong')).toMatchObject({ error: { message: 'Zernio refuses the key.' } })
    const account = await told(access)
    expect(account).toMatchObject({ platform: 'linkedin', externalId, username, settings: { via: 'zernio' } })
    expect(JSON.stringify(account)).not.toContain(access)
    const { accounts } = await ask<ProfileResource>(service.runtime, 'GET', `/profiles/${profile.id}?refresh=1`)
    expect(accounts).toContainEqual(expect.objectContaining({ id: account.id, health: 'connected' }))
    const direct = await run('account', 'set', ...ofAccount('linkedin'), '--setting', 'via=')
    expect(direct).toMatchObject({ error: { message: expect.stringMatching(/told by connecting/) } })
    await run('account', 'disconnect', ...ofAccount('linkedin'))
  })

  it('never show a token, and name what is wrong', async () => {
    const shown = [
      await run('account', 'connect', ...ofAccount('reddit'), '--sandbox'),
      await run('profile', 'show', '--profile', profile.id),
    ]
    expect(JSON.stringify(shown)).not.toMatch(/token|sealed|access|refresh|"pk"/i)
    const wrong: [message: RegExp, words: string[]][] = [
      [/--platform must be one of tiktok/, ['account', 'connect', ...ofAccount('myspace')]],
      [/no profile prf_none/, ['profile', 'show', '--profile', 'prf_none']],
      [/no account acc_none/, ['account', 'expire', '--account', 'acc_none']],
      [/has no account on youtube/, ['account', 'disconnect', ...ofAccount('youtube')]],
      [/NAME=VALUE/, ['account', 'set', ...ofAccount('reddit'), '--setting', 'board']],
      [/no automation vid_none/, ['slot', 'fire', '--automation', 'vid_none']],
      [/--identifier is needed/, ['account', 'connect', ...ofAccount('bluesky')]],
      [/color/, ['profile', 'create', '--workspace', service.runtime.workspaceId, '--name', 'x', '--color', 'red']],
    ]
    for (const [message, words] of wrong)
      expect(await run(...words), words.join(' ')).toMatchObject({ error: { message: expect.stringMatching(message) } })
  })
})

it('a key that somebody found is known again, read where no shell keeps it', async () => {
  const { apiKey, workspaceId } = service.runtime
  const found = await adminTold<Record<string, unknown>>(directory, `${apiKey}\n`, 'key', 'find')
  expect(found).toMatchObject({ workspaceId, lastFour: apiKey.slice(-4), revokedAt: null })
  expect(Object.values(found)).not.toContain(apiKey)
  const unknown = await adminTold(directory, 'rs_live_nobody\n', 'key', 'find')
  expect(unknown).toMatchObject({ error: { message: 'No workspace of this deployment has that key.' } })
})

it('the profile of the local run has an account on every platform', async () => {
  const { profileId } = service.runtime
  const { isDefault, accounts } = await ask<ProfileResource>(service.runtime, 'GET', `/profiles/${profileId}`)
  expect(isDefault).toBe(true)
  expect(accounts.map(({ platform, health }) => [platform, health])).toEqual(
    platforms.map(({ id }) => [id, 'connected']),
  )
})

it('every account of the sandbox is known to its platform', async () => {
  const path = `/profiles/${service.runtime.profileId}?refresh=1`
  const { accounts } = await ask<ProfileResource>(service.runtime, 'GET', path)
  expect(accounts.filter(({ health }) => health !== 'connected')).toEqual([])
})
