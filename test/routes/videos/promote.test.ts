/** POST /videos/{id}/promote: turns a video into an automation, and back. */
import { beforeAll, describe, expect, it } from 'vitest'
import { now } from '../../../lib/clock.ts'
import { secondsAfter } from '../../../lib/domain/core/time.ts'
import { listEvents } from '../../../lib/store/event-journal.ts'
import { getVideo } from '../../../lib/store/videos.ts'
import { advanceWorkspaceClock } from '../../../lib/store/workspaces.ts'
import { reconcileAutomation } from '../../../lib/use-cases/automations/reconcile-automation.ts'
import { apiClientOf, idsOf } from '../../support/api-client.ts'
import { armedAutomation, finishClip, readyAutomation } from '../../support/given/automations.ts'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { expectedError } from '../../support/refusals.ts'
import { newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

describe('POST /videos/{id}/promote', () => {
  const promote = (who: World, id: string, enabled: boolean) =>
    apiClientOf(who).post(`/videos/${id}/promote`, { enabled })

  rule(['automations.promote', 'automations.promote.again'], async () => {
    const own = await newWorld()
    const { get, account } = apiClientOf(own)
    const { id } = await given.generatedVideo(own)
    const plain = await promote(own, id, false)
    expect(plain).toMatchObject({ status: 200, body: { data: { status: 'paused', source: { isAutomation: false } } } })
    const first = await promote(own, id, true)
    expect(first.body.data).toMatchObject({ id, status: 'active', source: { id, isAutomation: true } })
    expectMatchesOpenApi('POST', '/videos/{id}/promote', 200, first.body)
    expect((await promote(own, id, true)).body).toEqual(first.body)
    expect((await account()).limits.automations.used).toBe(1)
    expect((await get('/automations')).body.data).toHaveLength(1)
    expect((await get('/videos')).body.data).toEqual([])
    const back = await promote(own, id, false)
    expect(back.body.data).toMatchObject({ status: 'paused', source: { isAutomation: false } })
    expect((await promote(own, id, false)).body).toEqual(back.body)
    expect((await account()).limits.automations.used).toBe(0)
    expect(idsOf((await get('/videos')).body.data)).toEqual([id])
    expect(await get(`/automations/${id}`)).toMatchObject(expectedError(404, 'not-found'))
  })

  it('200: repeated promotions and demotions at one moment of a stopped test clock', async () => {
    const own = await newWorld()
    const { id } = await given.generatedVideo(own)
    await advanceWorkspaceClock(own.workspaceId, secondsAfter(now(), 24 * 60 * 60))
    for (const enabled of [true, false, true, false])
      expect(await promote(own, id, enabled)).toMatchObject({
        status: 200,
        body: { data: { source: { isAutomation: enabled } } },
      })
  })

  it('a demotion during a run keeps its clip, which fails to publish with a reason', async () => {
    const own = await newWorld()
    const { post, get } = apiClientOf(own)
    const { id } = await readyAutomation(own)
    const clipId = (await post(`/automations/${id}/run`)).body.data.id
    expect((await promote(own, id, false)).status).toBe(200)
    await finishClip(own, clipId)
    await reconcileAutomation(own.workspaceId, id, clipId)
    const { body } = await get(`/videos/${clipId}`)
    expectMatchesOpenApi('GET', '/videos/{id}', 200, body)
    expect(body.data).toMatchObject({
      media: { renderUrl: expect.any(String) },
      publish: { status: 'FAILED', error: { code: 'warning-publish-not-configured', blocked: true } },
    })
    const told = (await listEvents(own.workspaceId)).map(({ type }) => type)
    expect(told.filter((type) => type.startsWith('video.publish'))).toEqual(['video.publish_failed'])
  })

  it('402: of two concurrent promotions for the last automation of the plan, one is refused', async () => {
    const starter = await newWorld({ planId: 'starter' })
    await given.workspaceWith(starter, { automationsUsed: 2 })
    const videos = [await given.generatedVideo(starter), await given.generatedVideo(starter)]
    const both = await Promise.all(videos.map(({ id }) => promote(starter, id, true)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 402])
    expect((await apiClientOf(starter).account()).limits.automations.used).toBe(3)
  })

  rule('automations.promote.not-ready', async () => {
    const { id } = (await apiClientOf(world).post('/videos', { prompt: 'An idea' })).body.data
    expect(await promote(world, id, true)).toMatchObject(expectedError(409, 'warning-source-not-ready'))
  })

  rule('automations.promote.clip', async () => {
    const { id } = await given.generatedVideo(world)
    const clip = (await apiClientOf(world).post(`/videos/${id}/clips`, {})).body.data.id
    for (const enabled of [true, false])
      expect(await promote(world, clip, enabled)).toMatchObject(expectedError(409, 'warning-invalid-input'))
  })

  rule('automations.demote', async () => {
    const own = await newWorld()
    const { id, clipId } = await armedAutomation(own)
    expect((await getVideo(own.workspaceId, clipId)).publish?.status).toBe('SCHEDULED')
    const { body } = await promote(own, id, false)
    expect(body.data).toMatchObject({ status: 'paused', health: { nextScheduledAt: null } })
    expect((await getVideo(own.workspaceId, clipId)).publish).toBeNull()
    // Nothing is made for it any more.
    const videos = async () => (await apiClientOf(own).get(`/videos/${id}/clips`)).body.paging.total
    await reconcileAutomation(own.workspaceId, id, null)
    expect(await videos()).toBe(1)
  })
})
