/** GET and POST /videos/{id}/clips. */
import { describe, expect, it } from 'vitest'
import { plans } from '../../../lib/domain/workspaces/plan.ts'
import type { Workspace } from '../../../lib/domain/workspaces/workspace.ts'
import { listEvents } from '../../../lib/store/core/outbox.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { runClipJob } from '../../support/run-jobs.ts'
import { callApi, failGeneration, newWorld, type World } from '../../support/world.ts'

const post = async ({ apiKey }: World, id: string, body?: unknown, headers: Record<string, string> = {}) => {
  const answer = await callApi('POST', `/videos/${id}/clips`, { key: apiKey, body, headers })
  expectMatchesOpenApi('POST', '/videos/{id}/clips', answer.status, answer.body)
  return answer
}
const list = async ({ apiKey }: World, id: string, query = '') => {
  const answer = await callApi('GET', `/videos/${id}/clips${query}`, { key: apiKey })
  expectMatchesOpenApi('GET', '/videos/{id}/clips', answer.status, answer.body)
  return answer
}
const idsOf = async (world: World, id: string, query?: string): Promise<string[]> =>
  (await list(world, id, query)).body.data.map((clip: { id: string }) => clip.id)
const account = async ({ apiKey }: World) => (await callApi('GET', '/', { key: apiKey })).body.data

describe('POST /videos/{id}/clips', () => {
  it('201: a clip shows what its source shows, without its film, and costs nothing', async () => {
    const world = await newWorld({ planId: 'free' })
    const source = await given.renderedVideo(world, { fields: { mood: 'calm', config: { captionsFontSize: 80 } } })
    const before = await account(world)
    const { status, body } = await post(world, source.id)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      parentVideoId: source.id,
      isClip: true,
      status: 'processing',
      process: { status: 'QUEUED', progress: 0, error: null },
      render: null,
      publish: null,
      type: source.type,
      mood: 'calm',
      config: { captionsFontSize: 80 },
    })
    await runClipJob(world, body.data.id)
    const clip = await getVideo(world.workspaceId, body.data.id)
    expect([clip.timelines, clip.durationSeconds]).toEqual([source.timelines, source.durationSeconds])
    expect(clip.media).toEqual({ ...source.media, renderKey: null, bytes: null })
    expect(clip).toMatchObject({ process: { status: 'COMPLETED' }, render: null })
    const after = await account(world)
    expect([after.credits, after.limits]).toEqual([before.credits, before.limits])
  })

  it('201: `render: true` queues the film when the clip is ready', async () => {
    const world = await newWorld()
    const source = await given.generatedVideo(world)
    const { body } = await post(world, source.id, { render: true })
    await runClipJob(world, body.data.id)
    expect(await getVideo(world.workspaceId, body.data.id)).toMatchObject({ render: { status: 'QUEUED' } })
  })

  it('201: `regenerate: true` costs and counts as a generation, and takes the idea alone', async () => {
    const world = await newWorld({ planId: 'starter' })
    const wish = { prompt: 'Calm mornings', text: 'My own words.', scriptPrompt: 'Be bold' }
    const source = await given.generatedVideo(world, { brief: wish })
    const before = await account(world)
    const { status, body } = await post(world, source.id, { regenerate: true })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      parentVideoId: source.id,
      durationSeconds: null,
      media: { audioUrl: null },
      brief: { prompt: 'Calm mornings', text: null, scriptPrompt: 'Be bold', inputMode: 'idea' },
    })
    const after = await account(world)
    expect(after.credits.balance).toBe(before.credits.balance - 10)
    expect(after.limits.generations.used).toBe(before.limits.generations.used + 1)
  })

  it('201: tells the making of a clip', async () => {
    const world = await newWorld()
    const source = await given.generatedVideo(world)
    const created = async () =>
      (await listEvents(world.workspaceId)).filter(({ type }) => type === 'video.created').length
    const before = await created()
    await post(world, source.id)
    expect(await created()).toBe(before + 1)
  })

  it('201: a clip of a clip; the first source goes with everything below it', async () => {
    const world = await newWorld()
    const source = await given.generatedVideo(world)
    const clip = (await post(world, source.id)).body.data.id
    const below = (await post(world, clip)).body.data
    expect(below.parentVideoId).toBe(clip)
    expect((await callApi('DELETE', `/videos/${source.id}`, { key: world.apiKey })).body.data.deletedClips).toBe(2)
    expect((await list(world, clip)).status).toBe(404)
  })

  it('201: is made while the source is rendered, or after a job of it failed', async () => {
    const world = await newWorld()
    const source = await given.renderedVideo(world)
    const again = () => callApi('POST', `/videos/${source.id}/process`, { key: world.apiKey, body: {} })
    await again()
    expect((await post(world, source.id)).status).toBe(201)
    await failGeneration(world, source.id)
    expect((await post(world, source.id)).status).toBe(201)
  })

  it('201: a repeat of the key makes one clip', async () => {
    const world = await newWorld()
    const source = await given.generatedVideo(world)
    const send = () => post(world, source.id, {}, { 'Idempotency-Key': 'once' })
    const [first, again] = [await send(), await send()]
    expect([again.status, again.body]).toEqual([201, first.body])
    expect((await list(world, source.id)).body.paging.total).toBe(1)
  })

  it('400: a flag that is no boolean', async () => {
    const world = await newWorld()
    const source = await given.generatedVideo(world)
    for (const name of ['regenerate', 'render'])
      expect((await post(world, source.id, { [name]: 1 })).body.error.details[0].path).toBe(`body.${name}`)
    expect((await post(world, source.id, { regenerate: null, render: null })).status).toBe(201)
  })

  it('402: a variation that the balance or the plan does not allow, while a clip is free', async () => {
    const refused = async (fields: Partial<Record<keyof Workspace, number | string>>) => {
      const world = await newWorld({ planId: 'starter' })
      const { id } = await given.generatedVideo(world, { brief: { videoDuration: 'short' } })
      await given.workspaceWith(world, fields)
      expect((await post(world, id)).status).toBe(201)
      return (await post(world, id, { regenerate: true })).body.error
    }
    const { generationsPerMonth, storageBytesMax } = plans.starter
    expect(await refused({ creditsBalance: 29 })).toMatchObject({ status: 402, code: 'warning-no-credits' })
    expect((await refused({ generationsUsed: generationsPerMonth! })).code).toBe('warning-plan-generations')
    expect((await refused({ storageUsedBytes: storageBytesMax! })).code).toBe('warning-plan-storage')
    expect((await refused({ planId: 'free' })).code).toBe('warning-plan-duration')
  })

  it('404: neither an unknown video nor one of another workspace can be told apart', async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    const { id } = await given.generatedVideo(other)
    for (const unknown of [id, 'vid_none']) {
      expect((await post(world, unknown)).status).toBe(404)
      expect((await list(world, unknown)).status).toBe(404)
    }
  })

  it('409: of a video without content, and a variation of an uploaded one', async () => {
    const world = await newWorld()
    const { id } = (await callApi('POST', '/videos', { key: world.apiKey, body: { prompt: 'x' } })).body.data
    expect((await post(world, id)).body.error).toMatchObject({ status: 409, code: 'warning-source-not-ready' })
    expect((await post(world, id, { regenerate: true })).status).toBe(201)
    const uploaded = await given.generatedVideo(world, { type: 'video' })
    expect((await post(world, uploaded.id, { regenerate: true })).body.error.code).toBe('warning-invalid-input')
    expect((await post(world, uploaded.id)).status).toBe(201)
  })
})

describe('GET /videos/{id}/clips', () => {
  it('200: newest first by creation, page by page, whatever their jobs do meanwhile', async () => {
    const world = await newWorld()
    const source = await given.generatedVideo(world)
    expect((await list(world, source.id)).body).toEqual({ data: [], paging: { limit: 50, offset: 0, total: 0 } })
    const made: string[] = []
    for (let count = 0; count < 4; count++) made.unshift((await post(world, source.id)).body.data.id)
    expect(await idsOf(world, source.id)).toEqual(made)
    const firstPage = await idsOf(world, source.id, '?limit=2')
    await runClipJob(world, made[3]!)
    await failGeneration(world, made[1]!)
    expect(firstPage).toEqual(made.slice(0, 2))
    expect(await idsOf(world, source.id, '?limit=2&offset=2')).toEqual(made.slice(2))
    expect(await idsOf(world, source.id, '?offset=3')).toEqual(made.slice(3))
    const beyond = await list(world, source.id, '?offset=4')
    expect(beyond.body).toEqual({ data: [], paging: { limit: 50, offset: 4, total: 4 } })
  })

  it('200: items are those of a list, and other videos are not among them', async () => {
    const world = await newWorld()
    const [source, other] = [await given.generatedVideo(world), await given.generatedVideo(world)]
    await post(world, other.id)
    const clip = (await post(world, source.id)).body.data
    const { data, paging } = (await list(world, source.id, '?include=captions')).body
    expect(paging.total).toBe(1)
    const { config: _config, brief, ...rest } = clip
    const { presentationAssets: _assets, presenter: _presenter, ...listed } = brief
    expect(data).toEqual([{ ...rest, brief: listed }])
  })

  it('200: the total falls when a clip is deleted', async () => {
    const world = await newWorld()
    const source = await given.generatedVideo(world)
    const [one] = [(await post(world, source.id)).body.data.id, await post(world, source.id)]
    await callApi('DELETE', `/videos/${one}`, { key: world.apiKey })
    expect((await list(world, source.id)).body.paging.total).toBe(1)
  })

  it('400: paging out of range', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    for (const query of ['limit=1', 'limit=100', 'offset=0'])
      expect((await list(world, id, `?${query}`)).status).toBe(200)
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'offset=1.5'])
      expect((await list(world, id, `?${query}`)).status, query).toBe(400)
  })
})
