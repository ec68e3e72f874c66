/** POST /videos/{id}/process. */
import { describe, expect, it } from 'vitest'
import { handler as begin } from '../../../functions/pipelines/generate/begin.ts'
import { now } from '../../../lib/clock.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { requestRender } from '../../../lib/domain/videos/job-transitions.ts'
import { plans } from '../../../lib/domain/workspaces/plan.ts'
import type { Workspace } from '../../../lib/domain/workspaces/workspace.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { runOf } from '../../support/run-jobs.ts'
import { callApi, failGeneration, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

const post = async ({ apiKey }: World, id: string, body?: unknown, headers: Record<string, string> = {}) => {
  const answer = await callApi('POST', `/videos/${id}/process`, { key: apiKey, body, headers })
  expectMatchesOpenApi('POST', '/videos/{id}/process', answer.status, answer.body)
  return answer
}

const account = async ({ apiKey }: World) => (await callApi('GET', '/', { key: apiKey })).body.data

describe('POST /videos/{id}/process', () => {
  rule('process.idempotent', async () => {
    const world = await newWorld({ planId: 'starter' })
    const { id } = await given.generatedVideo(world)
    const before = await account(world)
    const send = () =>
      post(world, id, { transcribe: false, addBRolls: false, render: true }, { 'Idempotency-Key': 'one' })
    const [first, again] = [await send(), await send()]
    expect([first.status, again.status, again.body]).toEqual([202, 202, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const after = await account(world)
    expect(after.limits.generations.used).toBe(before.limits.generations.used + 1)
    expect(after.credits.balance).toBe(before.credits.balance - 10)
    for (const body of [undefined, {}, { render: true }, { transcribe: false }, { addBRolls: false }])
      expect((await post(world, (await given.generatedVideo(world)).id, body)).status).toBe(202)
  })

  rule('process.requeues', async () => {
    const world = await newWorld({ planId: 'starter' })
    const { id } = await given.renderedVideo(world)
    const before = (await callApi('GET', `/videos/${id}`, { key: world.apiKey })).body.data
    const { status, body } = await post(world, id)
    expect(status).toBe(202)
    expect(body.data).toMatchObject({
      id,
      status: 'processing',
      process: { status: 'QUEUED', progress: 0, startedAt: null, error: null },
      render: before.render,
      media: before.media,
    })
    await failGeneration(world, id)
    expect((await post(world, id)).body.data.process).toMatchObject({ status: 'QUEUED', error: null })
  })

  rule('process.in-progress', async () => {
    const world = await newWorld()
    const { id } = (await callApi('POST', '/videos', { key: world.apiKey, body: { prompt: 'x' } })).body.data
    const again = () => post(world, id)
    expect(await again()).toMatchObject({ status: 409, body: { error: { code: 'job-in-progress' } } })
    await failGeneration(world, id)
    expect((await again()).status).toBe(202)
    expect((await again()).status).toBe(409)
  })

  it('202: costs and counts as a generation', async () => {
    const world = await newWorld({ planId: 'starter' })
    const { id } = await given.generatedVideo(world)
    const before = await account(world)
    await post(world, id, {})
    const after = await account(world)
    expect(after.credits.balance).toBe(before.credits.balance - 10)
    expect(after.limits.generations.used).toBe(before.limits.generations.used + 1)
  })

  it('202: stores the options; null counts as absent, with the defaults of POST /videos', async () => {
    const world = await newWorld()
    const wishesOf = async (body?: unknown) => {
      const { id, workspaceId } = await given.generatedVideo(world)
      await post(world, id, body)
      return (await changeVideo({ workspaceId, videoId: id }, () => undefined)).process!.wishes
    }
    const defaults = { transcribe: true, addBRolls: true, render: false }
    expect(await wishesOf()).toEqual(defaults)
    expect(await wishesOf({ transcribe: null, addBRolls: null, render: null, other: 1 })).toEqual(defaults)
    const turned = { transcribe: false, addBRolls: false, render: true }
    expect(await wishesOf(turned)).toEqual(turned)
  })

  it('400: an option is not a boolean, or the body is not an object', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    for (const name of ['transcribe', 'addBRolls', 'render'])
      expect(await post(world, id, { [name]: 'yes' })).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid-request', details: [{ path: `body.${name}` }] } },
      })
    expect((await post(world, id, [])).status).toBe(400)
  })

  it('402: without credits, beyond the generations of the month, with a full storage, and for too long a video', async () => {
    const refused = async (fields: Partial<Record<keyof Workspace, number | string>>) => {
      const world = await newWorld({ planId: 'starter' })
      const { id } = await given.generatedVideo(world, { brief: { videoDuration: 'short' } })
      await given.workspaceWith(world, fields)
      const { status, body } = await post(world, id)
      expect(status).toBe(402)
      return body.error
    }
    const { generationsPerMonth, storageBytesMax } = plans.starter
    expect(await refused({ creditsBalance: 29 })).toMatchObject({ code: 'warning-no-credits', action: 'credits' })
    expect(await refused({ generationsUsed: generationsPerMonth! })).toMatchObject({ code: 'warning-plan-generations' })
    expect(await refused({ storageUsedBytes: storageBytesMax! })).toMatchObject({ code: 'warning-plan-storage' })
    expect(await refused({ planId: 'free' })).toMatchObject({ code: 'warning-plan-duration', action: 'upgrade' })
  })

  it('404: the same for an unknown video and for one of another workspace', async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    const { id } = await given.generatedVideo(other)
    expect((await post(world, id)).body.error).toMatchObject({ status: 404, code: 'not-found' })
    expect((await post(world, 'vid_none')).status).toBe(404)
  })

  it('409: while a generation or a render is queued or runs', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    await post(world, id)
    expect(await post(world, id)).toMatchObject({ status: 409, body: { error: { code: 'job-in-progress' } } })
    await begin(await runOf(world, id))
    expect((await post(world, id)).body.error.code).toBe('job-in-progress')
    const rendering = await given.generatedVideo(world)
    await changeVideo({ ...world, videoId: rendering.id }, async (video) =>
      requestRender(await getWorkspace(world.workspaceId), video, mintId('run', now()), now()),
    )
    expect((await post(world, rendering.id)).body.error.code).toBe('job-in-progress')
  })

  it('400: PATCH refuses to remove the only idea, so that a video can always be generated again', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    for (const prompt of [null, '', ' ']) {
      const answer = await callApi('PATCH', `/videos/${id}`, { key: world.apiKey, body: { prompt } })
      expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path: 'body.prompt' }] } } })
    }
    expect((await post(world, id)).status).toBe(202)
  })
})
