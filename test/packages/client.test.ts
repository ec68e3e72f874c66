/** The npm client against the service, and its agreement with the route table. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { beforeAll, describe, expect, expectTypeOf, inject, it } from 'vitest'
import { operationName } from '../../lib/contract/operation-name.ts'
import type * as automations from '../../lib/contract/resources/automations.ts'
import type * as resources from '../../lib/contract/resources/index.ts'
import type { Route } from '../../lib/contract/route.ts'
import { pathParameterNames, splitSignature } from '../../lib/contract/route.ts'
import * as routes from '../../lib/contract/routes.ts'
import type {
  ApiWarning,
  Automation,
  AutomationItem,
  Client,
  Page,
  Video,
  VideoItem,
} from '../../packages/client/index.js'
import { createClient, ReelsmithError } from '../../packages/client/index.js'
import { newWorld, type World } from '../support/world.ts'
import { createdResponse, createOfflineClient, jsonResponse, networkError } from './offline-client.ts'

const folder = join(import.meta.dirname, '../../packages/client')
const baseUrl = inject('baseUrl')
const rows = Object.entries<Route>(routes).filter(([, { isPublic: open }]) => !open)

describe('against the service', () => {
  let world: World
  let client: Client
  beforeAll(async () => {
    world = await newWorld()
    client = createClient({ baseUrl, apiKey: world.apiKey })
  })

  it('creates, reads, edits and lists a video, each typed as its row declares', async () => {
    const created = await client.videos.create({ prompt: 'An idea', process: { render: true } })
    expectTypeOf(created).toEqualTypeOf<Video>()
    const read = await client.videos.get(created.id, { include: ['captions', 'bRolls'] })
    expect(read).toMatchObject({ id: created.id, captions: [], bRolls: [] })
    const edited = await client.videos.edit(created.id, { brief: { imageStyle: 'ai_image' } })
    expect(edited.brief.imageStyle).toBe('ai_image')
    const page = await client.videos.list({ limit: 1, search: 'idea' })
    expectTypeOf(page.data).toEqualTypeOf<VideoItem[]>()
    expect(page).toMatchObject({ data: [{ id: created.id }], paging: { limit: 1, total: 1 } })
  })

  it('accepts a video that was read as the brief of another one', async () => {
    const { config: _, ...first } = await client.videos.create({ prompt: 'An idea' })
    const second = await client.videos.create({ ...first, type: 'faceless', isAutomation: false, process: null })
    expect(second.brief).toEqual(first.brief)
  })

  it('throws the error of the service', async () => {
    const refused = client.videos.create({ prompt: 'x', aspectRatio: '2:1' as '1:1' })
    await expect(refused).rejects.toBeInstanceOf(ReelsmithError)
    await expect(refused).rejects.toMatchObject({
      status: 400,
      code: 'invalid-request',
      message: expect.stringContaining('aspectRatio'),
      details: [{ path: 'body.aspectRatio', allowed: ['9:16', '16:9', '1:1', '4:5'] }],
      requestId: expect.stringMatching(/./),
    })
    const poor = createClient({ baseUrl, apiKey: (await newWorld({ planId: 'free' })).apiKey })
    await expect(poor.videos.create({ prompt: 'x', videoDuration: 'medium' })).rejects.toMatchObject({
      status: 402,
      action: 'upgrade',
      blocked: true,
    })
  })

  it('shows warnings, the request id and replays beside the result', async () => {
    const seen: [ApiWarning, string][] = []
    const warned = createClient({ baseUrl, apiKey: world.apiKey, onWarning: (...warning) => seen.push(warning) })
    const body = { prompt: 'An idea', aspectRation: '1:1' }
    const idempotencyKey = crypto.randomUUID()
    const create = () => warned.videos.create(body, { idempotencyKey }).withResponse()
    const [first, second] = [await create(), await create()]
    const warning = { path: 'body.aspectRation', message: expect.any(String), didYouMean: 'aspectRatio' }
    expect(first).toMatchObject({ warnings: [warning], status: 201, isReplayed: false })
    expect(first.requestId).toBe(first.headers.get('x-request-id'))
    expect(second).toMatchObject({ data: { id: first.data.id }, warnings: [warning], isReplayed: true })
    expect(seen).toEqual([first, second].map(({ warnings }) => [warnings[0], 'createVideo']))
  })

  it('creates one video when the first response is lost', async () => {
    const fresh = await newWorld()
    let losses = 2
    const shaky = createClient({
      baseUrl,
      apiKey: fresh.apiKey,
      sleep: async () => {},
      fetch: async (...request) => {
        const answer = await fetch(...request)
        if (losses-- > 0) throw networkError()
        return answer
      },
    })
    const { id } = await shaky.videos.create({ prompt: 'x' })
    expect(await shaky.videos.list()).toMatchObject({ data: [{ id }], paging: { total: 1 } })
  })

  it('iterates over every page of a list once', async () => {
    const fresh = createClient({ baseUrl, apiKey: (await newWorld()).apiKey })
    const created = await Promise.all([1, 2, 3, 4, 5].map(() => fresh.videos.create({ prompt: 'x' })))
    const seen: string[] = []
    for await (const video of fresh.videos.list({ limit: 2 })) seen.push(video.id)
    expect(seen.toSorted()).toEqual(created.map(({ id }) => id).toSorted())
  })

  it('creates, edits and lists an automation, and shows its blockers', async () => {
    const fresh = createClient({ baseUrl, apiKey: (await newWorld()).apiKey })
    const { id } = await fresh.automations.create({ prompt: 'An idea' })
    const edited = await fresh.automations.edit(id, {
      schedule: { frequency: 'weekly', timezone: 'Asia/Tokyo', days: [{ day: 'friday', time: '18:00' }] },
      platforms: ['tiktok'],
    })
    expectTypeOf(edited).toEqualTypeOf<Automation>()
    expect(edited).toMatchObject({ schedule: { times: [], days: [{ mode: 'fixed' }] }, source: { id } })
    const list = fresh.automations.list()
    expectTypeOf((await list).data).toEqualTypeOf<AutomationItem[]>()
    for await (const automation of list) expect(automation.id).toBe(id)
    const { upcoming, blockers } = await fresh.automations.health(id)
    expect([upcoming.length, blockers[0]?.id]).toEqual([5, 'no-profile'])
    const promoted = await fresh.videos.promote(id, { enabled: true })
    expect(promoted.source.isAutomation).toBe(true)
    await expect(fresh.automations.run(id)).rejects.toMatchObject({ code: 'warning-publish-not-configured', blockers })
    expect(await fresh.automations.delete(id)).toEqual({ ok: true, deletedClips: 0, deletedBytes: 0 })
  })

  it('acts on a workspace of an organization', async () => {
    const organization = await newWorld()
    const { workspaceId } = await newWorld({ organizationId: organization.workspaceId })
    const { workspace } = await createClient({ baseUrl, apiKey: organization.apiKey, workspaceId }).account.get()
    expect(workspace.id).toBe(workspaceId)
  })

  it('waitFor returns immediately when the status is already reached', async () => {
    const video = await client.videos.create({ prompt: 'x' })
    expect(await client.waitFor(video, { until: 'processing' })).toMatchObject({ id: video.id, status: 'processing' })
  })
})

type Method = (...values: unknown[]) => Promise<unknown>
const methodOf = (client: Client, row: Route): Method => {
  const { group, verb } = operationName(row)
  return (client as unknown as Record<string, Record<string, Method>>)[group]![verb]!
}

describe('every row', () => {
  it.each(rows)('%s sends the request of its row', async (_name, row) => {
    const empty = jsonResponse(200, { data: [], paging: { limit: 1, offset: 0, total: 0 } })
    const { client, sent } = createOfflineClient([empty])
    const ids = pathParameterNames(row).map((parameter) => `a/b ${parameter}`)
    const input = row.body ? [{ a: 1 }] : row.query ? [{ limit: 7, refresh: false, include: ['a', 'b'] }] : []
    await methodOf(client, row)(...ids, ...input, { headers: { 'X-Trace': '1' } })
    const { method, path } = splitSignature(row.signature)
    const filled = path.replace(/\{(\w+)\}/g, 'a%2Fb%20$1')
    const query = row.query ? '?limit=7&include=a%2Cb' : ''
    expect(sent).toMatchObject([{ url: `https://api.test/v1${filled}${query}`, method, headers: { 'X-Trace': '1' } }])
    expect(sent[0]!.body).toBe(row.body ? '{"a":1}' : undefined)
    expect(sent[0]!.headers['Idempotency-Key'] !== undefined).toBe(row.idempotent ?? false)
  })

  it('has a method, and there is no other', () => {
    const { waitFor, ...groups } = createOfflineClient([createdResponse]).client
    expect(waitFor).toBeTypeOf('function')
    const methods = Object.entries(groups).flatMap(([group, verbs]) =>
      Object.keys(verbs).map((verb) => `${group}.${verb}`),
    )
    const names = rows.map(([, row]) => Object.values(operationName(row)).join('.'))
    expect(methods.toSorted()).toEqual(names.toSorted())
  })

  it('can be iterated where it is paged, and only there', async () => {
    const { client } = createOfflineClient([jsonResponse(200, { data: [], paging: { limit: 1, offset: 0, total: 0 } })])
    for (const [, row] of rows)
      expect(Symbol.asyncIterator in methodOf(client, row)(...pathParameterNames(row))).toBe(row.paged !== undefined)
  })

  it('sends the options of a call as headers', async () => {
    const { client, sent } = createOfflineClient([createdResponse])
    await client.videos.create({ prompt: 'x' }, { quote: 'quo_1', idempotencyKey: 'mine' })
    await client.videos.publish('vid_1', undefined, { waitSeconds: 0 })
    expect(sent[0]!.headers).toMatchObject({ Quote: 'quo_1', 'Idempotency-Key': 'mine' })
    expect(sent[1]!.headers).toMatchObject({ Prefer: 'wait=0' })
    expect(sent[1]!.body).toBeUndefined()
  })

  it('rejects an id that would change the path', async () => {
    const { client, sent } = createOfflineClient([createdResponse])
    for (const wrong of ['', '.', '..', undefined as unknown as string])
      await expect(client.videos.get(wrong)).rejects.toThrow(TypeError)
    expect(sent).toEqual([])
  })
})

it('a record that moves to a later page while a list is read is yielded once', async () => {
  const pageOf = (...ids: string[]) =>
    jsonResponse(200, { data: ids.map((id) => ({ id })), paging: { limit: 2, offset: 0, total: 4 } })
  const { client, sent } = createOfflineClient([pageOf('c', 'b'), pageOf('b', 'a')])
  expect((await Array.fromAsync(client.videos.list({ limit: 2 }))).map(({ id }) => id)).toEqual(['c', 'b', 'a'])
  expect(sent.map(({ url }) => new URL(url).search)).toEqual(['?limit=2', '?limit=2&offset=2'])
})

it('a log is read part by part to its end, also past parts without a record', async () => {
  const part = (nextAfter: number, ...ids: string[]) =>
    jsonResponse(200, {
      data: ids.map((id) => ({ id })),
      paging: { limit: 2, nextAfter, lastSequence: 9, missed: false },
    })
  const { client, sent } = createOfflineClient([part(5, 'a', 'b'), part(7), part(9, 'c')])
  const events = await Array.fromAsync(client.events.list({ limit: 2, types: 'video.created' }))
  expect(events.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(sent.map(({ url }) => new URL(url).searchParams.get('after'))).toEqual([null, '5', '7'])
})

it('address and key may come from the environment, and one of them missing is an error', () => {
  expect(() => createClient({ baseUrl })).toThrow('REELSMITH_API_KEY')
  expect(() => createClient({ baseUrl, apiKey: 'rs_live_1' })).not.toThrow()
})

describe('the types', () => {
  it('of records are those that the service returns', () => {
    expectTypeOf<Video>().toExtend<resources.VideoResource>()
    expectTypeOf<VideoItem>().toExtend<resources.VideoItem>()
    expectTypeOf<Automation>().toExtend<automations.AutomationResource>()
    expectTypeOf<AutomationItem>().toExtend<automations.AutomationItem>()
    expectTypeOf<Page<VideoItem>['data'][number]['status']>().toEqualTypeOf<resources.VideoItem['status']>()
  })

  it('accept params by the path, bodies bare or wrapped, and options where the row has them', () => {
    const { client } = createOfflineClient([createdResponse])
    type Client = typeof client
    expectTypeOf<Client['videos']['editScene']>().toBeCallableWith('vid_1', 'scn_1', { duration: 5 })
    const scenes = [{ startMs: 0, endMs: 1, text: 'x' }]
    expectTypeOf<Client['videos']['replacePresentationScenes']>().toBeCallableWith('vid_1', scenes)
    expectTypeOf<Client['videos']['replacePresentationScenes']>().toBeCallableWith('vid_1', { scenes })
    expectTypeOf<Client['profiles']['get']>().toBeCallableWith('prf_1', { refresh: true })
    expectTypeOf<NonNullable<Parameters<Client['videos']['create']>[1]>>().toHaveProperty('idempotencyKey')
    expectTypeOf<NonNullable<Parameters<Client['videos']['edit']>[2]>>().not.toHaveProperty('idempotencyKey')
    expectTypeOf<NonNullable<Parameters<Client['videos']['publish']>[2]>>().toHaveProperty('waitSeconds')
  })
})

describe('the package', () => {
  it.each([
    ['index.js', 6_000],
    ['webhooks.js', 2_000],
  ])('%s bundles for a browser without Node modules, and is small', async (file, bytesMax) => {
    const { outputFiles } = await build({
      entryPoints: [join(folder, file)],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    })
    const code = outputFiles[0]!.text
    expect(code.match(/(?:from|import)\s*"[^"]+"|(?<![.\w])(?:Buffer|process)\.\w+/g) ?? []).toEqual([])
    expect(gzipSync(code).byteLength).toBeLessThanOrEqual(bytesMax)
  })

  it('has the version of the repository, no dependencies, and every file that it exports', () => {
    const { version, ...rest } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect(version).toBe(JSON.parse(readFileSync(join(folder, '../../package.json'), 'utf8')).version)
    expect(Object.keys(rest).filter((key) => /dependencies/i.test(key))).toEqual([])
  })
})
