/** POST /videos/{id}/clips. */
import { describe, expect, it } from 'vitest'
import { plans } from '../../../lib/domain/workspaces/plan.ts'
import type { Workspace } from '../../../lib/domain/workspaces/workspace.ts'
import { listEvents } from '../../../lib/store/event-journal.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { runClipJob } from '../../support/run-jobs.ts'
import { callApi, failGeneration, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

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

const account = async ({ apiKey }: World) => (await callApi('GET', '/', { key: apiKey })).body.data

const read = async ({ apiKey }: World, id: string, query = '') =>
  (await callApi('GET', `/videos/${id}${query}`, { key: apiKey })).body.data

const figures = async ({ apiKey }: World) => {
  const { credits, limits } = (await callApi('GET', '/', { key: apiKey })).body.data
  return { balance: credits.balance, generations: limits.generations.used }
}

describe('POST /videos/{id}/clips', () => {
  it('201: a clip has the timelines and the media of its source, but no render, and is free', async () => {
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

  rule('clips.create.idempotent', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    const send = () => post(world, id, {}, { 'Idempotency-Key': 'once' })
    const [first, again] = [await send(), await send()]
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
    expect((await list(world, id)).body.paging.total).toBe(1)
  })

  rule(['clips.create.regenerate', 'clips.create.reuse', 'prices.clip'], async () => {
    const world = await newWorld({ planId: 'starter' })
    const wish = { prompt: null, text: 'Calm mornings begin in the evening.', videoDuration: 'short' }
    const source = await given.generatedVideo(world, { brief: wish })
    const before = await figures(world)
    const clip = (await post(world, source.id)).body.data.id
    await runClipJob(world, clip)
    expect(await figures(world)).toEqual(before)
    const include = '?include=captions,captionsPages,bRolls'
    const [shown, reused] = [await read(world, source.id, include), await read(world, clip, include)]
    for (const name of ['captions', 'captionsPages', 'bRolls', 'brief', 'durationSeconds'])
      expect(reused[name]).toEqual(shown[name])
    const variation = (await post(world, source.id, { regenerate: true })).body.data
    expect(variation).toMatchObject({ brief: { text: null, inputMode: 'idea' }, durationSeconds: null })
    expect(await figures(world)).toEqual({ balance: before.balance - 30, generations: before.generations + 1 })
  })

  it('201: `regenerate: true` costs and counts as a generation, and copies the idea only', async () => {
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

  rule('clips.create.render', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    for (const render of [true, false]) {
      const clip = (await post(world, id, { render })).body.data.id
      await runClipJob(world, clip)
      expect((await read(world, clip)).render?.status).toBe(render ? 'QUEUED' : undefined)
    }
  })

  rule('clips.create.parent', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    const { status, body } = await post(world, id)
    expect([status, body.data.parentVideoId, body.data.isClip]).toEqual([201, id, true])
    const below = await post(world, body.data.id)
    expect([below.status, below.body.data.parentVideoId]).toEqual([201, body.data.id])
  })

  rule('clips.create.no-guards', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    const waiting = (await post(world, id)).body.data.id
    expect((await post(world, id)).status).toBe(201)
    await failGeneration(world, waiting)
    expect((await post(world, id)).status).toBe(201)
  })

  it('201: also while a job of the source is open, or after one failed', async () => {
    const world = await newWorld()
    const source = await given.renderedVideo(world)
    const again = () => callApi('POST', `/videos/${source.id}/process`, { key: world.apiKey, body: {} })
    await again()
    expect((await post(world, source.id)).status).toBe(201)
    await failGeneration(world, source.id)
    expect((await post(world, source.id)).status).toBe(201)
  })

  it('201: emits `video.created`', async () => {
    const world = await newWorld()
    const source = await given.generatedVideo(world)
    const created = async () =>
      (await listEvents(world.workspaceId)).filter(({ type }) => type === 'video.created').length
    const before = await created()
    await post(world, source.id)
    expect(await created()).toBe(before + 1)
  })

  it('400: a flag is not a boolean', async () => {
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

  it('404: the same for an unknown video and for one of another workspace', async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    const { id } = await given.generatedVideo(other)
    for (const unknown of [id, 'vid_none']) {
      expect((await post(world, unknown)).status).toBe(404)
      expect((await list(world, unknown)).status).toBe(404)
    }
  })

  it('409: the source has no content, or a variation of an uploaded video is requested', async () => {
    const world = await newWorld()
    const { id } = (await callApi('POST', '/videos', { key: world.apiKey, body: { prompt: 'x' } })).body.data
    expect((await post(world, id)).body.error).toMatchObject({ status: 409, code: 'warning-source-not-ready' })
    expect((await post(world, id, { regenerate: true })).status).toBe(201)
    const uploaded = await given.generatedVideo(world, { type: 'video' })
    expect((await post(world, uploaded.id, { regenerate: true })).body.error.code).toBe('warning-invalid-input')
    expect((await post(world, uploaded.id)).status).toBe(201)
  })
})
