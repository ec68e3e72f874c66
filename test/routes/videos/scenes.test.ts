/** POST /videos/{id}/scenes, PATCH and DELETE /videos/{id}/scenes/{sceneId}: adding, editing and removing the scenes of ai videos. */
import { describe, expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { mintId } from '../../../lib/domain/core/mint-id.ts'
import { withDurations } from '../../../lib/domain/generation/scenes/scene-script.ts'
import type { Scene, StoredScene } from '../../../lib/domain/generation/scenes/scenes.ts'
import { completeRender } from '../../../lib/domain/videos/complete-job.ts'
import { beginRender, requestRender } from '../../../lib/domain/videos/job-transitions.ts'
import { plans } from '../../../lib/domain/workspaces/plan.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'
import { storedScene, storedScenes } from '../../support/given/scenes.ts'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

/** An ai video with a render, and requests that change its scenes. */
async function aiVideo(scenes: StoredScene[] = storedScenes(3), world?: World) {
  const { apiKey: key, ...place } = world ?? (await newWorld())
  const { id } = await given.renderedVideo(place, { type: 'ai', scenes })
  const path = `/videos/${id}`
  const read = async () => (await callApi('GET', `${path}?include=scenes`, { key })).body.data
  expect((await read()).media.renderUrl).not.toBeNull()
  return {
    read,
    idsOf: async () => (await read()).scenes.map((scene: Scene) => scene.id),
    add: (body?: unknown) => callApi('POST', `${path}/scenes`, { key, body }),
    edit: (sceneId: string, body: unknown) => callApi('PATCH', `${path}/scenes/${sceneId}`, { key, body }),
    remove: (sceneId: string) => callApi('DELETE', `${path}/scenes/${sceneId}`, { key }),
  }
}

const givenAiVideo = (world: World) => given.generatedVideo(world, { type: 'ai', scenes: storedScenes(2) })

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

describe('POST /videos/{id}/scenes', () => {
  rule('scenes.add.place', async () => {
    const { add, idsOf } = await aiVideo()
    const behind = await add({ afterSceneId: 'scn_1' })
    const last = await add()
    expect([behind.status, last.status]).toEqual([201, 201])
    expect(await idsOf()).toEqual(['scn_1', behind.body.data.id, 'scn_2', 'scn_3', last.body.data.id])
  })

  rule('scenes.add.unknown-place', async () => {
    const { add, idsOf } = await aiVideo()
    for (const afterSceneId of ['scn_9', ''])
      expect(await add({ afterSceneId })).toMatchObject({ status: 404, body: { error: { code: 'not-found' } } })
    expect(await idsOf()).toHaveLength(3)
  })

  rule(['scenes.add.inherits', 'limits.new-scene-slot'], async () => {
    const { add } = await aiVideo()
    const empty = {
      id: expect.stringMatching(/^scn_[a-z0-9]+$/),
      imagePrompt: '',
      animationPrompt: '',
      narration: '',
      duration: 6,
      status: 'draft',
      imageUrl: null,
      videoUrl: null,
    }
    const behind = await add({ afterSceneId: 'scn_2' })
    expect(behind.body.data).toEqual({ ...empty, voiceDescription: 'Natural voice, number 2' })
    expect((await add()).body.data).toEqual({ ...empty, voiceDescription: 'Natural voice, number 3' })
  })

  rule('scenes.add.free', async () => {
    const world = await newWorld({ planId: 'free' })
    const { add } = await aiVideo(storedScenes(1), world)
    const credits = async () => (await callApi('GET', '/', { key: world.apiKey })).body.data.credits
    const before = await credits()
    expect((await add()).status).toBe(201)
    expect(await credits()).toEqual(before)
  })

  rule('scenes.add.clears-render', async () => {
    const { add, read } = await aiVideo()
    await add()
    expect(await read()).toMatchObject({ status: 'draft', media: { renderUrl: null, bytes: null } })
  })

  rule(['scenes.add.max', 'limits.scenes'], async () => {
    const { add, remove, idsOf } = await aiVideo(storedScenes(49))
    const statuses = [(await add()).status, (await add()).status]
    expect(statuses).toEqual([201, 409])
    expect((await add()).body.error.code).toBe('limit-reached')
    expect(await idsOf()).toHaveLength(50)
    await remove('scn_1')
    expect((await add()).status).toBe(201)
  })
})

describe('DELETE /videos/{id}/scenes/{sceneId}', () => {
  rule('scenes.remove', async () => {
    const { remove, read, idsOf } = await aiVideo()
    expect(await remove('scn_2')).toMatchObject({ status: 200, body: { data: { ok: true } } })
    expect(await idsOf()).toEqual(['scn_1', 'scn_3'])
    expect((await read()).media).toMatchObject({ renderUrl: null, bytes: null })
    expect((await remove('scn_2')).status).toBe(404)
  })
})

describe('PATCH /videos/{id}/scenes/{sceneId}', () => {
  rule('scenes.edit.fields', async () => {
    const { edit, read } = await aiVideo()
    const fields = {
      imagePrompt: 'a lighthouse at night',
      animationPrompt: 'Pan left',
      narration: 'A lighthouse.',
      voiceDescription: 'A calm male voice',
      duration: 7.25,
    }
    for (const [name, value] of Object.entries(fields)) {
      const { status, body } = await edit('scn_2', { [name]: value })
      expect([status, body.data[name]]).toEqual([200, value])
    }
    expect((await read()).scenes[1]).toMatchObject({ id: 'scn_2', ...fields })
    for (const body of [{}, { status: 'ready' }, undefined])
      expect(await edit('scn_2', body)).toMatchObject({ status: 400, body: { error: { code: 'invalid-request' } } })
  })

  rule('scenes.edit.duration', async () => {
    const { edit } = await aiVideo()
    for (const duration of [5, 5.01, 12.345, 19.99, 20])
      expect(await edit('scn_1', { duration })).toMatchObject({ status: 200, body: { data: { duration } } })
    for (const duration of [4.99, 20.01, 0, -6, '6', null])
      expect((await edit('scn_1', { duration })).status, String(duration)).toBe(400)
  })

  rule('limits.scene-duration', () => {
    const lengths = [0, 2_950, 3_001, 4_200, 19_900, 20_001, 60_000].map(
      (spokenMs) => withDurations([storedScene(1), storedScene(2)], [spokenMs, 5_000])[0]!.duration,
    )
    expect(lengths).toEqual([3, 3, 3.1, 4.2, 19.9, 20, 20])
  })

  rule('scenes.edit.clears', async () => {
    const { edit, read } = await aiVideo()
    const [first, second] = (await read()).scenes
    expect(second.videoUrl).not.toBeNull()
    const { body } = await edit('scn_2', { duration: 8 })
    expect(body.data).toEqual({ ...second, duration: 8, videoUrl: null })
    const after = await read()
    expect(after.scenes.slice(0, 2)).toEqual([first, body.data])
    expect(after.media).toMatchObject({ renderUrl: null, bytes: null })
  })
})

describe.each(requests)('$method a scene', ({ method, path, status, ...sent }) => {
  it(`${status}: the answer is the documented one`, async () => {
    const world = await newWorld()
    const { id } = await givenAiVideo(world)
    const answer = await callApi(method, path(id), { key: world.apiKey, ...sent })
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    const template = method === 'POST' ? '/videos/{id}/scenes' : '/videos/{id}/scenes/{sceneId}'
    expectMatchesOpenApi(method, template, status, answer.body)
  })

  it('404: the same for an unknown video and for one of another workspace', async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    const { id } = await givenAiVideo(other)
    for (const videoId of ['vid_none', id]) {
      const answer = await callApi(method, path(videoId), { key: world.apiKey, ...sent })
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not-found' } } })
    }
  })

  it('404: an unknown scene', async () => {
    if (method === 'POST') return
    const world = await newWorld()
    const { id } = await givenAiVideo(world)
    expect((await callApi(method, path(id, 'scn_9'), { key: world.apiKey, ...sent })).status).toBe(404)
  })

  it('409: `wrong-video-type` for a video that is not an ai video, whatever the scene id', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    const answer = await callApi(method, path(id), { key: world.apiKey, ...sent })
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'wrong-video-type' } } })
  })

  it('409: while the video is generated, and nothing is stored or counted', async () => {
    const world = await newWorld()
    const video = await givenAiVideo(world)
    const { apiKey: key } = world
    await callApi('POST', `/videos/${video.id}/script`, { key, body: {} })
    const usedBytes = async () => (await callApi('GET', '/', { key })).body.data.limits.storage.usedBytes
    const before = await usedBytes()
    const answer = await callApi(method, path(video.id), { key, ...sent })
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'job-in-progress' } } })
    expect(await usedBytes()).toBe(before)
  })

  it('402: warning-plan-storage where the quota is used up, and nothing is changed', async () => {
    const world = await newWorld({ planId: 'free' })
    const video = await givenAiVideo(world)
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
    const { id } = await givenAiVideo(world)
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

  it('200: concurrent edits are all stored', async () => {
    const world = await newWorld()
    const { id } = await givenAiVideo(world)
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

  it('a render that was running during an edit is completed but not shown', async () => {
    const world = await newWorld()
    const { id, workspaceId } = await givenAiVideo(world)
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
