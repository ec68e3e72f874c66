/** GET /videos. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { VideoItem } from '../../../lib/contract/resources/index.ts'
import { given } from '../../support/given/videos.ts'
import { callApi, failGeneration, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World

/** One video at each moment of its life, by its status. */
let byStatus: Record<'draft' | 'processing' | 'rendering' | 'ready' | 'failed', string>

const create = async (body: object) =>
  (await callApi('POST', '/videos', { key: world.apiKey, body: { prompt: 'x', ...body } })).body.data.id as string

const list = (query = '') => callApi('GET', `/videos${query}`, { key: world.apiKey })

const idsOf = async (query: string) => (await list(query)).body.data.map(({ id }: VideoItem) => id)

const statusOf = async (query: string) => (await list(query)).status

const rendering = { title: 'The EVENING', subType: 'ugc', process: { render: true } }

beforeAll(async () => {
  world = await newWorld()
  byStatus = {
    draft: (await given.generatedVideo(world, { brief: { title: 'A calm morning' } })).id,
    processing: await create({ title: 'Noon', type: 'ai' }),
    rendering: (await given.generatedVideo(world, { brief: rendering })).id,
    ready: (await given.renderedVideo(world, { brief: { title: 'Night, 100% dark' } })).id,
    failed: await create({ title: 'Straße' }),
  }
  await failGeneration(world, byStatus.failed)
})

const idsIn = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id)

describe('GET /videos', () => {
  rule(['videos.list.limit', 'videos.list.offset'], async () => {
    expect((await list()).body.paging).toEqual({ limit: 50, offset: 0, total: 5 })
    const all = await idsOf('?limit=100')
    expect(await idsOf('?limit=1')).toEqual(all.slice(0, 1))
    expect(await idsOf('?limit=2&offset=3')).toEqual(all.slice(3))
    const pages = [await idsOf('?limit=2'), await idsOf('?limit=2&offset=2'), await idsOf('?limit=2&offset=4')]
    expect(pages.flat()).toEqual(all)
    expect(new Set(all)).toEqual(new Set(Object.values(byStatus)))
    expect((await list('?limit=2&offset=3')).body.paging).toEqual({ limit: 2, offset: 3, total: 5 })
    expect(await idsOf('?offset=5')).toEqual([])
  })

  rule('videos.list.type', async () => {
    expect(await idsOf('?type=ai')).toEqual([byStatus.processing])
    expect((await list('?type=faceless')).body.paging.total).toBe(4)
    expect(await idsOf('?type=video')).toEqual([])
  })

  rule('videos.list.sub-type', async () => {
    expect(await idsOf('?subType=ugc')).toEqual([byStatus.rendering])
    expect((await list('?subType=ugc')).body.paging.total).toBe(1)
    expect([await statusOf(`?subType=${'a'.repeat(40)}`), await statusOf(`?subType=${'a'.repeat(41)}`)]).toEqual([
      200, 400,
    ])
  })

  rule('videos.list.status', async () => {
    for (const [status, id] of Object.entries(byStatus)) {
      const { body } = await list(`?status=${status}`)
      expect(body.data.map((video: VideoItem) => [video.id, video.status])).toEqual([[id, status]])
      expect(body.paging.total).toBe(1)
    }
  })

  rule('videos.list.search', async () => {
    expect(await idsOf('?search=evening')).toEqual([byStatus.rendering])
    expect(await idsOf('?search=A%20CALM')).toEqual([byStatus.draft])
    expect(await idsOf('?search=100%25')).toEqual([byStatus.ready])
    expect(await idsOf('?search=midnight')).toEqual([])
    expect([await statusOf(`?search=${'a'.repeat(100)}`), await statusOf(`?search=${'a'.repeat(101)}`)]).toEqual([
      200, 400,
    ])
  })

  rule('videos.list.unknown-filter-value', async () => {
    for (const query of ['?type=cinema', '?status=lost', '?type=cinema&status=lost', '?type=&status=', '?colour=red'])
      expect((await list(query)).body.paging.total, query).toBe(5)
  })

  rule(['videos.list.malformed-values', 'limits.title-search', 'limits.sub-type-filter'], async () => {
    const malformed = [
      ...['0', '101', '1.5', 'x', '', '-1', '1e1'].map((limit) => `?limit=${limit}`),
      ...['-1', '0.5', 'x', ''].map((offset) => `?offset=${offset}`),
      `?search=${'a'.repeat(101)}`,
      `?subType=${'a'.repeat(41)}`,
    ]
    for (const query of malformed)
      expect(await list(query), query).toMatchObject({ status: 400, body: { error: { code: 'invalid-request' } } })
    for (const query of ['?limit=1', '?limit=100', '?offset=0', `?search=${'a'.repeat(100)}`])
      expect(await statusOf(query), query).toBe(200)
  })

  rule('videos.list.newest-activity-first', async () => {
    const oldest = (await idsOf('')).at(-1)
    await callApi('PATCH', `/videos/${oldest}`, { key: world.apiKey, body: { title: 'Moved' } })
    const times = (await list()).body.data.map(({ updatedAt }: VideoItem) => updatedAt)
    expect(times).toEqual(times.toSorted().toReversed())
    expect((await idsOf(''))[0]).toBe(oldest)
  })

  rule('videos.list.no-heavy-arrays', async () => {
    const plain = await list()
    const asked = await list('?include=captions,captionsPages,bRolls,presentationScenes,scenes')
    expect(asked.body).toEqual(plain.body)
    for (const video of asked.body.data)
      for (const name of ['captions', 'captionsPages', 'bRolls', 'presentationScenes', 'scenes'])
        expect(video).not.toHaveProperty(name)
  })

  rule('videos.list.item-fields', async () => {
    const [item] = (await list('?status=ready')).body.data
    const { body } = await callApi('GET', `/videos/${byStatus.ready}`, { key: world.apiKey })
    const { config: _, brief, ...rest } = body.data
    const { presentationAssets: _assets, presenter: _presenter, ...listedBrief } = brief
    expect(item).toEqual({ ...rest, brief: listedBrief })
    expect(item.status).toBe('ready')
  })

  rule('videos.list.no-clips', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    await callApi('POST', `/videos/${id}/clips`, { key: world.apiKey })
    const { body } = await callApi('GET', '/videos', { key: world.apiKey })
    expect([idsIn({ body }), body.paging.total]).toEqual([[id], 1])
  })

  it('200: filters across pages; a page beyond the end is empty', async () => {
    const fresh = await newWorld()
    for (let index = 0; index < 3; index++)
      await callApi('POST', '/videos', { key: fresh.apiKey, body: { prompt: 'x', type: index ? 'faceless' : 'ai' } })
    const list = async (query: string) => (await callApi('GET', `/videos?${query}`, { key: fresh.apiKey })).body
    expect(await list('type=ai&limit=1')).toMatchObject({ data: [{ type: 'ai' }], paging: { total: 1 } })
    expect(await list('status=failed&limit=1')).toMatchObject({ data: [], paging: { total: 0 } })
    expect(await list('offset=9007199254740991')).toMatchObject({ data: [], paging: { total: 3 } })
  })
})
