/** The scenes of ai videos: adding, editing and removing them. */
import { describe, expect } from 'vitest'
import { withDurations } from '../../../lib/domain/generation/scenes/scene-script.ts'
import type { Scene, StoredScene } from '../../../lib/domain/generation/scenes/scenes.ts'
import { storedScene, storedScenes } from '../../support/given/scenes.ts'
import { given } from '../../support/given/videos.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

/** An ai video with a film, and what a test does to its scenes. */
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
