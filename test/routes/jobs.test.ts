/** Process, script and clips: what is queued on a video, and what is made from one. */
import { describe, expect } from 'vitest'
import { given } from '../support/given/videos.ts'
import { runClipJob, runScriptJob } from '../support/run-jobs.ts'
import { callApi, failGeneration, newWorld, type World } from '../support/world.ts'
import { rule } from './rules/rule.ts'

const post = ({ apiKey }: World, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  callApi('POST', path, { key: apiKey, body, headers })
const read = async ({ apiKey }: World, id: string, query = '') =>
  (await callApi('GET', `/videos/${id}${query}`, { key: apiKey })).body.data
const clipsOf = async ({ apiKey }: World, id: string, query = '') =>
  callApi('GET', `/videos/${id}/clips${query}`, { key: apiKey })
const idsIn = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id)
const figures = async ({ apiKey }: World) => {
  const { credits, limits } = (await callApi('GET', '/', { key: apiKey })).body.data
  return { balance: credits.balance, generations: limits.generations.used }
}

/** Sends a request with a key twice. */
async function twice(world: World, path: string, body: unknown) {
  const send = () => post(world, path, body, { 'Idempotency-Key': 'one' })
  return [await send(), await send()] as const
}

describe('POST /videos/{id}/process', () => {
  rule('process.idempotent', async () => {
    const world = await newWorld({ planId: 'starter' })
    const path = async () => `/videos/${(await given.generatedVideo(world)).id}/process`
    const before = await figures(world)
    const [first, again] = await twice(world, await path(), { transcribe: false, addBRolls: false, render: true })
    expect([first.status, again.status, again.body]).toEqual([202, 202, first.body])
    expect((await figures(world)).generations).toBe(before.generations + 2)
    for (const body of [undefined, {}, { render: true }, { transcribe: false }, { addBRolls: false }])
      expect((await post(world, await path(), body)).status).toBe(202)
  })

  rule('process.requeues', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    expect(await post(world, `/videos/${id}/process`)).toMatchObject({
      status: 202,
      body: { data: { id, process: { status: 'QUEUED', progress: 0, error: null } } },
    })
  })

  rule('process.in-progress', async () => {
    const world = await newWorld()
    const { id } = (await post(world, '/videos', { prompt: 'x' })).body.data
    const again = () => post(world, `/videos/${id}/process`)
    expect(await again()).toMatchObject({ status: 409, body: { error: { code: 'job-in-progress' } } })
    await failGeneration(world, id)
    expect((await again()).status).toBe(202)
    expect((await again()).status).toBe(409)
  })
})

describe('POST /videos/{id}/script', () => {
  rule('script.idempotent', async () => {
    const world = await newWorld({ planId: 'starter' })
    const { id } = await given.generatedVideo(world)
    const [first, again] = await twice(world, `/videos/${id}/script`, { prompt: 'Be bold' })
    expect([first.status, again.status, again.body]).toEqual([202, 202, first.body])
    await runScriptJob(world, id)
    expect((await post(world, `/videos/${id}/script`)).status).toBe(202)
  })

  rule('script.queued', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    expect(await post(world, `/videos/${id}/script`)).toMatchObject({
      status: 202,
      body: { data: { id, process: { status: 'QUEUED' }, brief: { text: null } } },
    })
    await runScriptJob(world, id)
    expect((await read(world, id)).brief.text).toMatch(/\S/)
  })

  rule('script.price', async () => {
    const world = await newWorld({ planId: 'starter' })
    const { id } = await given.generatedVideo(world)
    const before = await figures(world)
    await post(world, `/videos/${id}/script`)
    expect(await figures(world)).toEqual({ balance: before.balance - 10, generations: before.generations + 1 })
  })
})

describe('GET /videos/{id}/clips', () => {
  rule(['clips.list.paging', 'clips.list.order'], async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    const made: string[] = []
    for (let count = 0; count < 3; count++) made.unshift((await post(world, `/videos/${id}/clips`)).body.data.id)
    const first = await clipsOf(world, id, '?limit=2')
    expect(first.body.paging).toEqual({ limit: 2, offset: 0, total: 3 })
    await runClipJob(world, made[2]!)
    const second = await clipsOf(world, id, '?limit=2&offset=2')
    expect([...idsIn(first), ...idsIn(second)]).toEqual(made)
    expect((await clipsOf(world, id)).body.paging).toEqual({ limit: 50, offset: 0, total: 3 })
    for (const query of ['limit=0', 'limit=101', 'offset=-1'])
      expect((await clipsOf(world, id, `?${query}`)).status).toBe(400)
  })
})

describe('POST /videos/{id}/clips', () => {
  rule('clips.create.idempotent', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    const [first, again] = await twice(world, `/videos/${id}/clips`, {})
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
    expect((await clipsOf(world, id)).body.paging.total).toBe(1)
  })

  rule(['clips.create.regenerate', 'clips.create.reuse', 'prices.clip'], async () => {
    const world = await newWorld({ planId: 'starter' })
    const wish = { prompt: null, text: 'Calm mornings begin in the evening.', videoDuration: 'short' }
    const source = await given.generatedVideo(world, { brief: wish })
    const before = await figures(world)
    const clip = (await post(world, `/videos/${source.id}/clips`)).body.data.id
    await runClipJob(world, clip)
    expect(await figures(world)).toEqual(before)
    const include = '?include=captions,captionsPages,bRolls'
    const [shown, reused] = [await read(world, source.id, include), await read(world, clip, include)]
    for (const name of ['captions', 'captionsPages', 'bRolls', 'brief', 'durationSeconds'])
      expect(reused[name]).toEqual(shown[name])
    const variation = (await post(world, `/videos/${source.id}/clips`, { regenerate: true })).body.data
    expect(variation).toMatchObject({ brief: { text: null, inputMode: 'idea' }, durationSeconds: null })
    expect(await figures(world)).toEqual({ balance: before.balance - 30, generations: before.generations + 1 })
  })

  rule('clips.create.render', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    for (const render of [true, false]) {
      const clip = (await post(world, `/videos/${id}/clips`, { render })).body.data.id
      await runClipJob(world, clip)
      expect((await read(world, clip)).render?.status).toBe(render ? 'QUEUED' : undefined)
    }
  })

  rule('clips.create.parent', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    const { status, body } = await post(world, `/videos/${id}/clips`)
    expect([status, body.data.parentVideoId, body.data.isClip]).toEqual([201, id, true])
    const below = await post(world, `/videos/${body.data.id}/clips`)
    expect([below.status, below.body.data.parentVideoId]).toEqual([201, body.data.id])
  })

  rule('clips.create.no-guards', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    const waiting = (await post(world, `/videos/${id}/clips`)).body.data.id
    expect((await post(world, `/videos/${id}/clips`)).status).toBe(201)
    await failGeneration(world, waiting)
    expect((await post(world, `/videos/${id}/clips`)).status).toBe(201)
  })
})

describe('clips beside their source', () => {
  rule('videos.list.no-clips', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    await post(world, `/videos/${id}/clips`)
    const { body } = await callApi('GET', '/videos', { key: world.apiKey })
    expect([idsIn({ body }), body.paging.total]).toEqual([[id], 1])
  })

  rule('videos.edit.applies-to-clips', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    const edit = { prompt: 'Quiet evenings', scriptPrompt: 'Be bold', voiceId: 'en-miles', aspectRatio: '16:9' }
    await callApi('PATCH', `/videos/${id}`, { key: world.apiKey, body: edit })
    for (const regenerate of [true, false])
      expect((await post(world, `/videos/${id}/clips`, { regenerate })).body.data.brief).toMatchObject(edit)
  })

  rule('videos.delete.whole-subtree', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    const clip = (await post(world, `/videos/${id}/clips`)).body.data.id
    const below = (await post(world, `/videos/${clip}/clips`)).body.data.id
    const { body } = await callApi('DELETE', `/videos/${id}`, { key: world.apiKey })
    expect(body.data).toMatchObject({ ok: true, deletedClips: 2 })
    for (const gone of [id, clip, below])
      expect((await callApi('GET', `/videos/${gone}`, { key: world.apiKey })).status).toBe(404)
    expect((await callApi('GET', '/', { key: world.apiKey })).body.data.limits.storage.usedBytes).toBe(0)
  })
})

describe('pages of videos and of clips', () => {
  const pages = async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    await post(world, `/videos/${id}/clips`)
    const get = (path: string, query: string) => callApi('GET', `${path}?${query}`, { key: world.apiKey })
    return { get, paths: ['/videos', `/videos/${id}/clips`] }
  }

  rule('limits.page-size', async () => {
    const { get, paths } = await pages()
    for (const path of paths) {
      expect((await get(path, '')).body.paging).toEqual({ limit: 50, offset: 0, total: 1 })
      for (const limit of [1, 100]) expect((await get(path, `limit=${limit}`)).body.paging.limit).toBe(limit)
      for (const limit of [0, 101]) expect((await get(path, `limit=${limit}`)).status).toBe(400)
    }
  })

  rule('limits.offset', async () => {
    const { get, paths } = await pages()
    for (const path of paths) {
      expect((await get(path, 'offset=0')).body.data).toHaveLength(1)
      expect((await get(path, 'offset=1')).body).toEqual({ data: [], paging: { limit: 50, offset: 1, total: 1 } })
      expect((await get(path, 'offset=-1')).status).toBe(400)
    }
  })
})
