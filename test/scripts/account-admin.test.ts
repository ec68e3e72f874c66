/** The operator's commands for profiles and accounts, beside a local run. */
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ProfileResource } from '../../lib/contract/resources/profiles.ts'
import { appPasswordOf } from '../../local/sandbox/platforms/bluesky/sessions.ts'
import { selectDeployment } from '../../scripts/admin/deployment.ts'
import { parseAdminArguments } from '../../scripts/admin/parse-arguments.ts'
import {
  callApiOf,
  runAdminWithInput,
  type ServiceProcess,
  startServiceProcess,
  temporaryDataDirectory,
} from '../pipelines/service-process.ts'
import { spawnScript } from './script-process.ts'

const { directory, remove } = temporaryDataDirectory()
let service: ServiceProcess
let profile: ProfileResource
beforeAll(async () => {
  service = await startServiceProcess(directory)
  process.env.DATA_DIR = directory
  const { workspaceId } = service.runtime
  profile = await run('profile', 'create', '--workspace', workspaceId, '--name', 'Second', '--color', '#00AA00')
})
afterAll(async () => {
  await service.stop()
  remove()
})

/** Runs a command in this process, as the command line does: a process for each takes longer than all of them. */
async function run<Result = Record<string, unknown>>(...words: string[]): Promise<Result> {
  return (await parseAdminArguments(words).run!(await selectDeployment(undefined))) as Result
}
/** The same for a command that reads a secret from standard input. */
async function told<Result = Record<string, unknown>>(input: string, words: string[]): Promise<Result> {
  using _stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([input]) as typeof process.stdin)
  return await run(...words)
}
const ofAccount = (platform: string) => ['--profile', profile.id, '--platform', platform]
const shown = () => callApiOf<ProfileResource>(service.runtime, 'GET', `/profiles/${profile.id}`)

describe("the operator's commands", () => {
  it('make a profile next to that of the local run, and show it as the API does', async () => {
    expect(profile).toEqual({ ...(await shown()), name: 'Second', color: '#00aa00', isDefault: false, accounts: [] })
    const { workspaceId } = service.runtime
    const listed = await run<ProfileResource[]>('profile', 'list', '--workspace', workspaceId)
    expect(listed.map(({ id }) => id)).toEqual([service.runtime.profileId, profile.id])
    expect(await run('profile', 'show', '--profile', profile.id)).toEqual(profile)
  })

  it('find a profile by its id alone, in any workspace', async () => {
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
    const set = (setting: string) => run('account', 'set', '--account', String(account.id), '--setting', setting)
    expect((await set('board=A')).settings).toMatchObject({ board: 'A' })
    expect((await set('board=')).settings).not.toHaveProperty('board')
    expect((await set('board=A=B')).settings).toMatchObject({ board: 'A=B' })
    await expect(set('privacy=public')).rejects.toThrow('Pinterest has no setting privacy. It has board.')

    expect(await run('account', 'expire', '--account', String(account.id))).toMatchObject({ health: 'expired' })
    expect((await shown()).accounts).toMatchObject([{ id: account.id, health: 'expired' }])
    const again = await run('account', 'connect', ...ofAccount('pinterest'), '--sandbox')
    expect(again).toMatchObject({ id: account.id, health: 'connected', settings: { board: 'A=B' } })

    await run('account', 'disconnect', '--account', String(account.id))
    expect((await shown()).accounts).toEqual([])
  })

  it('send the user to the platform, which redirects to this service', async () => {
    const { url, expiresAt } = await run<{ url: string; expiresAt: string }>(
      'account',
      'connect',
      ...ofAccount('tiktok'),
    )
    const redirect = new URL(new URL(url).searchParams.get('redirect_uri')!)
    expect(`${redirect}`).toBe(`${service.runtime.baseUrl}/connections/tiktok/callback`)
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now())
  })

  it('connect an account of Bluesky by its app password, which is read only from standard input', async () => {
    const identifier = 'ada.sandbox.test'
    const words = ['account', 'connect', ...ofAccount('bluesky'), '--identifier', identifier]
    await expect(told('', words)).rejects.toThrow(/Standard input is empty/)
    await expect(told('wrong\n', words)).rejects.toMatchObject({ code: 'warning-publish-auth' })
    const account = await told(`${appPasswordOf(identifier)}\n`, words)
    expect(account).toMatchObject({ platform: 'bluesky', username: identifier, health: 'connected' })
    await expect(run(...words, '--password', appPasswordOf(identifier))).rejects.toThrow("Unknown option '--password'")
  })

  it('connect an account through Zernio, whose key is read only from standard input', async () => {
    const { externalId, username } = { externalId: '64e1f0000000000000000001', username: 'ada' }
    const [url] = Object.values(service.runtime.platformUrls.linkedin ?? {})
    const made = await fetch(new URL('/__sandbox/accounts', url), {
      method: 'POST',
      body: JSON.stringify({ platform: 'linkedin', externalId, username }),
    })
    const { access } = (await made.json()) as { access: string }
    const words = ['account', 'connect', ...ofAccount('linkedin'), '--via', 'zernio', '--identifier', externalId]
    await expect(told('wrong\n', words)).rejects.toThrow('Zernio refuses the key.')
    const account = await told(`${access}\n`, words)
    expect(account).toMatchObject({ platform: 'linkedin', externalId, username, settings: { via: 'zernio' } })
    expect(JSON.stringify(account)).not.toContain(access)
    const { accounts } = await callApiOf<ProfileResource>(service.runtime, 'GET', `/profiles/${profile.id}?refresh=1`)
    expect(accounts).toContainEqual(expect.objectContaining({ id: account.id, health: 'connected' }))
    const direct = run('account', 'set', ...ofAccount('linkedin'), '--setting', 'via=')
    await expect(direct).rejects.toThrow(/is read-only/)
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
      [/--identifier is required/, ['account', 'connect', ...ofAccount('bluesky')]],
      [/color/, ['profile', 'create', '--workspace', service.runtime.workspaceId, '--name', 'x', '--color', 'red']],
    ]
    for (const [message, words] of wrong) await expect(run(...words), words.join(' ')).rejects.toThrow(message)
  })
})

it('identify a leaked key', async () => {
  const { apiKey, workspaceId } = service.runtime
  const found = await told(`${apiKey}\n`, ['key', 'find'])
  expect(found).toMatchObject({ workspaceId, lastFour: apiKey.slice(-4), revokedAt: null })
  expect(Object.values(found)).not.toContain(apiKey)
  const unknown = told('rs_live_nobody\n', ['key', 'find'])
  await expect(unknown).rejects.toThrow('No workspace of this deployment has this key.')
})

describe('the admin program', () => {
  it('reads a secret outside the shell history, and prints machine-readable results', async () => {
    const { apiKey, workspaceId } = service.runtime
    expect(await runAdminWithInput(directory, `${apiKey}\n`, 'key', 'find')).toMatchObject({ workspaceId })
    const unknown = { error: { code: 'failed', message: 'No workspace of this deployment has this key.' } }
    expect(await runAdminWithInput(directory, 'rs_live_nobody\n', 'key', 'find')).toEqual(unknown)
  })

  it('exits with 1 and a reason if it failed, with 2 and its usage for an unknown command', async () => {
    const failed = spawnScript('admin.ts', ['profile', 'show', '--profile', 'prf_none'], directory)
    expect([await failed.ended, failed.errors(), failed.output()]).toEqual([1, 'There is no profile prf_none.\n', ''])
    const unknown = spawnScript('admin.ts', ['profile', 'delete'], directory)
    expect(await unknown.ended).toBe(2)
    expect(unknown.errors()).toContain('profile show --profile PROFILE')
  })
})
