/** The typed client against the service, and its agreement with the route table. */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { beforeAll, describe, expect, expectTypeOf, inject, it } from 'vitest'
import { type CallInput, createClient, ReelsmithError } from '../../lib/contract/client.ts'
import type { AutomationItem, AutomationResource } from '../../lib/contract/resources/automations.ts'
import type { VideoItem, VideoResource } from '../../lib/contract/resources/index.ts'
import type { Route } from '../../lib/contract/route.ts'
import { route, splitSignature } from '../../lib/contract/route.ts'
import * as routes from '../../lib/contract/routes.ts'
import { newWorld, type World } from '../support/world.ts'
import { createdResponse, createOfflineClient, jsonResponse, networkError } from './offline-client.ts'

const baseUrl = inject('baseUrl')
const rows = Object.entries<Route>(routes).filter(([, { isPublic: open }]) => !open)

describe('against the service', () => {
  let world: World
  let client: ReturnType<typeof createClient>
  beforeAll(async () => {
    world = await newWorld()
    client = createClient({ baseUrl, apiKey: world.apiKey })
  })

  it('creates, reads, edits and lists a video, each typed as its row declares', async () => {
    const made = await client.createVideo({ body: { prompt: 'An idea', process: { render: true } } })
    expectTypeOf(made).toEqualTypeOf<VideoResource>()
    const read = await client.getVideo({ params: { id: made.id }, query: { include: ['captions', 'bRolls'] } })
    expect(read).toMatchObject({ id: made.id, captions: [], bRolls: [] })
    const edited = await client.editVideo({ params: { id: made.id }, body: { brief: { imageStyle: 'ai_image' } } })
    expect(edited.brief.imageStyle).toBe('ai_image')
    const page = await client.listVideos({ query: { limit: 1, search: 'idea' } })
    expectTypeOf(page.data).toEqualTypeOf<VideoItem[]>()
    expect(page).toMatchObject({ data: [{ id: made.id }], paging: { limit: 1, total: 1 } })
  })

  it('accepts a video that was read as the brief of another one', async () => {
    const { config: _, ...first } = await client.createVideo({ body: { prompt: 'An idea' } })
    const second = await client.createVideo({
      body: { ...first, type: 'faceless', isAutomation: false, process: null },
    })
    expect(second.brief).toEqual(first.brief)
  })

  it('throws the error of the service', async () => {
    const refused = client.createVideo({ body: { prompt: 'x', aspectRatio: '2:1' as '1:1' } })
    await expect(refused).rejects.toBeInstanceOf(ReelsmithError)
    await expect(refused).rejects.toMatchObject({
      status: 400,
      code: 'invalid-request',
      message: expect.stringContaining('aspectRatio'),
      details: [{ path: 'body.aspectRatio', allowed: ['9:16', '16:9', '1:1', '4:5'] }],
      requestId: expect.stringMatching(/./),
    })
    const poor = createClient({ baseUrl, apiKey: (await newWorld({ planId: 'free' })).apiKey })
    await expect(poor.createVideo({ body: { prompt: 'x', videoDuration: 'medium' } })).rejects.toMatchObject({
      status: 402,
      action: 'upgrade',
      blocked: true,
    })
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
    const { id } = await shaky.createVideo({ body: { prompt: 'x' } })
    expect(await shaky.listVideos()).toMatchObject({ data: [{ id }], paging: { total: 1 } })
  })

  it('iterates over every page of a list once', async () => {
    const fresh = createClient({ baseUrl, apiKey: (await newWorld()).apiKey })
    const made = await Promise.all([1, 2, 3, 4, 5].map(() => fresh.createVideo({ body: { prompt: 'x' } })))
    const seen: string[] = []
    for await (const video of fresh.pages.listVideos({ query: { limit: 2 } })) seen.push(video.id)
    expect(seen.toSorted()).toEqual(made.map(({ id }) => id).toSorted())
  })

  it('creates, edits and lists an automation, and shows its blockers', async () => {
    const fresh = createClient({ baseUrl, apiKey: (await newWorld()).apiKey })
    const { id } = await fresh.createAutomation({ body: { prompt: 'An idea' } })
    const edited = await fresh.editAutomation({
      params: { id },
      body: {
        schedule: { frequency: 'weekly', timezone: 'Asia/Tokyo', days: [{ day: 'friday', time: '18:00' }] },
        platforms: ['tiktok'],
      },
    })
    expectTypeOf(edited).toEqualTypeOf<AutomationResource>()
    expect(edited).toMatchObject({ schedule: { times: [], days: [{ mode: 'fixed' }] }, source: { id } })
    expectTypeOf((await fresh.listAutomations()).data).toEqualTypeOf<AutomationItem[]>()
    for await (const automation of fresh.pages.listAutomations()) expect(automation.id).toBe(id)
    const { upcoming, blockers } = await fresh.getAutomationHealth({ params: { id } })
    expect([upcoming.length, blockers[0]?.id]).toEqual([5, 'no-profile'])
    const promoted = await fresh.promoteVideo({ params: { id }, body: { enabled: true } })
    expect(promoted.source.isAutomation).toBe(true)
    const refusal = { code: 'warning-publish-not-configured', blockers }
    await expect(fresh.runAutomation({ params: { id } })).rejects.toMatchObject(refusal)
    expect(await fresh.deleteAutomation({ params: { id } })).toEqual({ ok: true, deletedClips: 0, deletedBytes: 0 })
  })

  it('acts on a workspace of an organization', async () => {
    const organization = await newWorld()
    const { workspaceId } = await newWorld({ organizationId: organization.workspaceId })
    const { workspace } = await createClient({ baseUrl, apiKey: organization.apiKey, workspaceId }).getAccount()
    expect(workspace.id).toBe(workspaceId)
  })

  it('waitFor returns immediately when the status is already reached', async () => {
    const { id } = await client.createVideo({ body: { prompt: 'x' } })
    expect(await client.waitFor(id, 'processing')).toMatchObject({ id, status: 'processing' })
  })
})

describe('every row', () => {
  it.each(rows)('%s sends the request of its row', async (name, row) => {
    const { client, sent } = createOfflineClient([
      jsonResponse(200, { data: [], paging: { limit: 1, offset: 0, total: 0 } }),
    ])
    const { method, path } = splitSignature(row.signature)
    const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, `a/b ${name}`]))
    const send = client[name as keyof typeof client] as unknown as (input: object) => Promise<unknown>
    await send({ params, ...(row.body ? { body: {} } : {}) })
    const filled = path.replace(/\{(\w+)\}/g, 'a%2Fb%20$1')
    expect(sent).toMatchObject([{ url: `https://api.test/v1${filled}`, method }])
    expect(sent[0]!.body).toBe(row.body ? '{}' : undefined)
    expect(sent[0]!.headers['Idempotency-Key'] !== undefined).toBe(row.idempotent ?? false)
  })

  it('rejects an id that would change the path', async () => {
    const { client, sent } = createOfflineClient([createdResponse])
    for (const wrong of ['', '.', '..'])
      await expect(client.getVideo({ params: { id: wrong } })).rejects.toThrow(TypeError)
    expect(sent).toEqual([])
  })

  it('exposes its lists under pages, and nothing else', () => {
    const paged = rows.filter(([, { paged }]) => paged).map(([name]) => name)
    expect(Object.keys(createOfflineClient([createdResponse]).client.pages)).toEqual(paged)
  })
})

describe('the types', () => {
  const item = v.object({ id: v.optional(v.string()), startMs: v.number() })
  const wide = route({
    signature: 'PUT /videos/{id}/things/{thingId}',
    handler: 'videos/things',
    summary: 'A row with everything',
    query: v.object({
      refresh: v.optional(
        v.pipe(
          v.string(),
          v.transform((text) => text === 'true'),
        ),
      ),
    }),
    body: v.array(item),
    arrayUnder: ['things', 'items'],
    idempotent: true,
    returns: v.array(item),
  })
  const narrow = route({ signature: 'GET /things', handler: 'things/list', summary: 'None', returns: v.array(item) })

  it('accept params by the path, bodies bare or wrapped, and query values as text or typed', () => {
    type Items = { id?: string | undefined; startMs: number }[]
    const input: CallInput<typeof wide> = {
      params: { id: 'vid_1', thingId: 'thi_1' },
      body: [{ startMs: 1 }],
      query: { refresh: true },
      idempotencyKey: 'one',
    }
    expectTypeOf({ ...input, body: { items: [{ startMs: 1 }] } }).toExtend<CallInput<typeof wide>>()
    expectTypeOf({ ...input, query: { refresh: 'yes' } }).toExtend<CallInput<typeof wide>>()
    expectTypeOf({ ...input, params: { id: 'vid_1' } }).not.toExtend<CallInput<typeof wide>>()
    expectTypeOf<CallInput<typeof wide>['body']>().toEqualTypeOf<Items | { things: Items } | { items: Items }>()
    expectTypeOf<{ headers: Record<string, string> }>().toExtend<CallInput<typeof narrow>>()
    expectTypeOf<CallInput<typeof narrow>>().not.toHaveProperty('body')
    expectTypeOf<CallInput<typeof narrow>>().not.toHaveProperty('idempotencyKey')
  })
})

describe('the file', () => {
  it('bundles for a browser without Node modules', async () => {
    const { build } = await import('esbuild')
    const { outputFiles } = await build({
      entryPoints: [new URL('../../lib/contract/client.ts', import.meta.url).pathname],
      bundle: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      // As bundlers for browsers do: an unused Node import is dropped with its import statement.
      plugins: [
        {
          name: 'node',
          setup: ({ onResolve }) =>
            onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true, sideEffects: false })),
        },
      ],
    })
    const code = outputFiles[0]!.text
    expect(code.match(/(?:from|import)\s*"node:[^"]+"|(?<![.\w])(?:Buffer|process)\.\w+/g) ?? []).toEqual([])
    expect(readFileSync(new URL('../../lib/contract/client.ts', import.meta.url), 'utf8')).not.toMatch(/from 'node:/)
  })
})
