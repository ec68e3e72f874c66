import { describe, expect, it } from 'vitest'
import { now } from '../../lib/clock.ts'
import { mintId } from '../../lib/domain/core/id.ts'
import { beginRender, completeRender, requestRender } from '../../lib/domain/videos/jobs.ts'
import { plans } from '../../lib/domain/workspaces/plan.ts'
import { getWorkspace } from '../../lib/store/workspaces.ts'
import { changeVideo } from '../../lib/use-cases/videos/change-video.ts'
import { storedScenes } from '../support/given/scenes.ts'
import { given } from '../support/given/videos.ts'
import { expectMatchesOpenApi } from '../support/openapi-validation.ts'
import { callApi, newWorld, type World } from '../support/world.ts'

const aiVideo = (world: World) => given.generatedVideo(world, { type: 'ai', scenes: storedScenes(2) })

/** Each of the three routes, on a scene of a video. */
const requests = [
  { method: 'POST', path: (id: string) => `/videos/${id}/scenes`, body: {}, status: 201 },
  {
    method: 'PATCH',
    path: (id: string, scene = 'scn_1') => `/videos/${id}/scenes/${scene}`,
    body: { narration: 'Other words.' },
    status: 200,
  },
  { method: 'DELETE', path: (id: string, scene = 'scn_1') => `/videos/${id}/scenes/${scene}`, status: 200 },
] as const

describe.each(requests)('$method a scene', ({ method, path, status, ...sent }) => {
  it(`${status}: the answer is the documented one`, async () => {
    const world = await newWorld()
    const { id } = await aiVideo(world)
    const answer = await callApi(method, path(id), { key: world.apiKey, ...sent })
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    const template = method === 'POST' ? '/videos/{id}/scenes' : '/videos/{id}/scenes/{sceneId}'
    expectMatchesOpenApi(method, template, status, answer.body)
  })

  it('404: neither an unknown video nor one of another workspace can be told apart', async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    const { id } = await aiVideo(other)
    for (const videoId of ['vid_none', id]) {
      const answer = await callApi(method, path(videoId), { key: world.apiKey, ...sent })
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not-found' } } })
    }
  })

  it('404: an unknown scene', async () => {
    if (method === 'POST') return
    const world = await newWorld()
    const { id } = await aiVideo(world)
    expect((await callApi(method, path(id, 'scn_9'), { key: world.apiKey, ...sent })).status).toBe(404)
  })

  it('409: wrong-video-type on a video of another type, whatever the scene', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    const answer = await callApi(method, path(id), { key: world.apiKey, ...sent })
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'wrong-video-type' } } })
  })

  it('402: warning-plan-storage where the quota is used up, and nothing is changed', async () => {
    const world = await newWorld({ planId: 'free' })
    const video = await aiVideo(world)
    await given.workspaceWith(world, { storageUsedBytes: plans.free.storageBytesMax! })
    const answer = await callApi(method, path(video.id), { key: world.apiKey, ...sent })
    expect(answer).toMatchObject({ status: 402, body: { error: { code: 'warning-plan-storage', action: 'upgrade' } } })
    const { body } = await callApi('GET', `/videos/${video.id}`, { key: world.apiKey })
    expect(body.data.updatedAt).toBe(video.updatedAt)
  })
})

describe('the scenes of a video', () => {
  it('400: texts are texts of at most 2,000 characters, and afterSceneId is an id', async () => {
    const world = await newWorld()
    const { id } = await aiVideo(world)
    const send = (method: string, path: string, body: unknown) => callApi(method, path, { key: world.apiKey, body })
    const edit = (body: unknown) => send('PATCH', `/videos/${id}/scenes/scn_1`, body)
    for (const name of ['imagePrompt', 'animationPrompt', 'narration', 'voiceDescription']) {
      expect((await edit({ [name]: 'x'.repeat(2_000) })).status).toBe(200)
      for (const value of ['x'.repeat(2_001), null, 7]) {
        const { status, body } = await edit({ [name]: value })
        expect([status, body.error.details[0].path]).toEqual([400, `body.${name}`])
      }
    }
    expect((await send('POST', `/videos/${id}/scenes`, { afterSceneId: 7 })).status).toBe(400)
    expect((await send('POST', `/videos/${id}/scenes`, { afterSceneId: null })).status).toBe(201)
  })

  it('edited at the same moment: no edit is lost', async () => {
    const world = await newWorld()
    const { id } = await aiVideo(world)
    const key = world.apiKey
    const answers = await Promise.all([
      callApi('PATCH', `/videos/${id}/scenes/scn_1`, { key, body: { narration: 'One.' } }),
      callApi('PATCH', `/videos/${id}/scenes/scn_2`, { key, body: { narration: 'Two.' } }),
      callApi('POST', `/videos/${id}/scenes`, { key }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 201])
    const { body } = await callApi('GET', `/videos/${id}?include=scenes`, { key })
    expect(body.data.scenes.map(({ narration }: { narration: string }) => narration)).toEqual(['One.', 'Two.', ''])
  })

  it('edited while a render runs: its film is not shown', async () => {
    const world = await newWorld()
    const { id, workspaceId } = await aiVideo(world)
    const [run, runId] = [{ workspaceId, videoId: id }, mintId('run', now())]
    const film = { renderKey: `${workspaceId}/${id}/renders/1.mp4`, thumbnailKey: 'jpg', bytes: 7 }
    const workspace = await getWorkspace(workspaceId)
    await changeVideo(run, (video) => requestRender(workspace, video, runId, now()))
    await changeVideo(run, (video) => beginRender(video, runId, 'manifest', now()))
    await callApi('DELETE', `/videos/${id}/scenes/scn_1`, { key: world.apiKey })
    await changeVideo(run, (video) => completeRender(video, runId, 0, film, now()))
    const { body } = await callApi('GET', `/videos/${id}`, { key: world.apiKey })
    expect(body.data).toMatchObject({
      status: 'draft',
      media: { renderUrl: null, bytes: null },
      render: { status: 'COMPLETED', stale: true },
    })
  })
})
