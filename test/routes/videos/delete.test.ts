/** DELETE /videos/{id}. */
import { describe, expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import type { PaidStep } from '../../../lib/domain/records/jobs.ts'
import { beginProcess } from '../../../lib/domain/videos/job-transitions.ts'
import { reportPaidStep } from '../../../lib/store/progress.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'
import { apiClientOf } from '../../support/api-client.ts'
import { given } from '../../support/given/videos.ts'
import { callApi, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

const newVideo = async ({ apiKey }: World): Promise<string> =>
  (await callApi('POST', '/videos', { key: apiKey, body: { prompt: 'x' } })).body.data.id

const accountOf = async ({ apiKey }: World) => (await callApi('GET', '/', { key: apiKey })).body.data

const newClip = ({ apiKey }: World, id: string) => callApi('POST', `/videos/${id}/clips`, { key: apiKey })

describe('DELETE /videos/{id}', () => {
  const remove = ({ apiKey }: World, id: string) => callApi('DELETE', `/videos/${id}`, { key: apiKey })

  rule(['videos.delete.answer', 'videos.delete.irreversible'], async () => {
    const world = await newWorld()
    const id = await newVideo(world)
    expect(await remove(world, id)).toMatchObject({
      status: 200,
      body: { data: { ok: true, deletedClips: 0, deletedBytes: 0 } },
    })
    expect((await remove(world, id)).status).toBe(404)
    for (const path of [`/videos/${id}`, `/videos/${id}/config`])
      expect((await callApi('GET', path, { key: world.apiKey })).status).toBe(404)
    expect((await callApi('GET', '/videos', { key: world.apiKey })).body.paging.total).toBe(0)
  })

  rule(['videos.delete.returns-bytes', 'limits.deleted-bytes'], async () => {
    const world = await newWorld()
    const usedBytes = async () => (await accountOf(world)).limits.storage.usedBytes
    await given.generatedVideo(world)
    const before = await usedBytes()
    const { id } = await given.renderedVideo(world)
    const held = (await usedBytes()) - before
    expect(held).toBeGreaterThan(0)
    expect((await remove(world, id)).body.data.deletedBytes).toBe(held)
    expect(await usedBytes()).toBe(before)
  })

  rule('videos.delete.whole-subtree', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    const clip = (await newClip(world, id)).body.data.id
    const below = (await newClip(world, clip)).body.data.id
    const { body } = await callApi('DELETE', `/videos/${id}`, { key: world.apiKey })
    expect(body.data).toMatchObject({ ok: true, deletedClips: 2 })
    for (const gone of [`/videos/${id}`, `/videos/${clip}`, `/videos/${below}`, `/videos/${clip}/clips`])
      expect((await callApi('GET', gone, { key: world.apiKey })).status).toBe(404)
    expect((await callApi('GET', '/', { key: world.apiKey })).body.data.limits.storage.usedBytes).toBe(0)
  })

  it('200: releases the credits reserved for a generation that it ends', async () => {
    const { apiKey: key } = await newWorld({ planId: 'free' })
    const { body } = await callApi('POST', '/videos', { key, body: { prompt: 'An idea' } })
    await callApi('DELETE', `/videos/${body.data.id}`, { key })
    expect((await callApi('GET', '/', { key })).body.data.credits).toMatchObject({ balance: 200, used: 0 })
  })

  it.each<[string, PaidStep[], number]>([
    ['nothing', [], 0],
    ['a script', ['script'], 2],
    ['a script and a voice', ['script', 'voice'], 5],
  ])('200: a generation that is deleted after it bought %s costs that alone', async (_, steps, used) => {
    const { apiKey: key, workspaceId } = await newWorld({ planId: 'free' })
    const { id } = (await callApi('POST', '/videos', { key, body: { prompt: 'An idea' } })).body.data
    const place = { workspaceId, videoId: id }
    const { process } = await changeVideo(place, (video) => beginProcess(video, video.process!.runId, now()))
    for (const step of steps) await reportPaidStep({ workspaceId, id }, process!, step)
    await callApi('DELETE', `/videos/${id}`, { key })
    expect((await callApi('GET', '/', { key })).body.data.credits).toMatchObject({ balance: 200 - used, used })
    expect(await getWorkspace(workspaceId)).toMatchObject({
      creditsBalance: 200 - used,
      creditsReserved: 0,
      creditsUsed: used,
    })
  })

  it('200: deleting a blueprint releases its automation of the plan', async () => {
    const { post, remove: removeAt, account } = apiClientOf(await newWorld({ planId: 'starter' }))
    const { id } = (await post('/automations', { prompt: 'An idea' })).body.data
    expect((await account()).limits.automations.used).toBe(1)
    expect((await removeAt(`/videos/${id}`)).status).toBe(200)
    const { limits, credits } = await account()
    expect([limits.automations.used, credits.balance]).toEqual([0, 2_000])
  })
})
