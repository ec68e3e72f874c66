/** Automations: made, read, listed, removed, and how they are. */
import { beforeAll, describe, expect, it } from 'vitest'
import { listEvents } from '../../../lib/store/core/outbox.ts'
import { reconcileAutomation } from '../../../lib/use-cases/automations/reconcile-automation.ts'
import { apiClientOf, expectedError, idempotencyKeyHeader, idsOf } from '../../support/api-client.ts'
import { armedAutomation, connectedProfile, givenAutomation, readyAutomation } from '../../support/given/automations.ts'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

describe('POST /automations', () => {
  rule(['automations.create', 'automations.create.blockers', 'limits.default-schedule'], async () => {
    const { post, get } = apiClientOf(world)
    for (const body of [{ prompt: 'An idea' }, { brief: { text: 'Three small habits.', inputMode: 'script' } }]) {
      const { status, body: answer } = await post('/automations', body)
      expect(status).toBe(201)
      expectMatchesOpenApi('POST', '/automations', 201, answer)
      expect(answer.data).toMatchObject({
        status: 'active',
        schedule: { frequency: 'daily', timezone: 'UTC', times: [{ time: '09:00', mode: 'fixed' }], days: [] },
        publishing: { profileId: null, platforms: [] },
        autoRefill: true,
        stopped: null,
        source: { id: answer.data.id, isAutomation: true, process: { status: 'QUEUED' } },
      })
      const { ready, blockers, nextScheduledAt } = answer.data.health
      expect([ready, idsOf(blockers)]).toEqual([false, ['no-profile', 'no-platforms', 'source-not-ready']])
      expect(blockers[0]).toEqual({ id: 'no-profile', label: 'No profile is chosen.' })
      expect(nextScheduledAt).toMatch(/T09:00:00\.000Z$/)
      expect((await get(`/automations/${answer.data.id}`)).body).toEqual(answer)
    }
    // A blueprint that was read can be posted back.
    const { data } = (await get('/automations?limit=1')).body
    const { source } = (await get(`/automations/${data[0].id}`)).body.data
    expect(await post('/automations', source)).toMatchObject({ status: 201, body: { data: { title: source.title } } })
    for (const body of [{}, { prompt: ' ' }, { brief: { type: 'ai' } }])
      expect(await post('/automations', body)).toMatchObject(expectedError(400, 'invalid-request'))
  })

  rule(['automations.create.charges', 'limits.automations-count', 'automations.promote.limit'], async () => {
    const starter = await newWorld({ planId: 'starter' })
    const { post, account } = apiClientOf(starter)
    const before = await account()
    const many = await Promise.all(Array.from({ length: 5 }, () => post('/automations', { prompt: 'An idea' })))
    expect(many.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 402, 402])
    expect(many.find(({ status }) => status === 402)?.body.error).toMatchObject({
      code: 'warning-plan-automations',
      action: 'upgrade',
      blocked: true,
    })
    const after = await account()
    expect(after.limits).toMatchObject({ automations: { used: 3, limit: 3 }, generations: { used: 3 } })
    expect(before.credits.balance - after.credits.balance).toBe(30)
    const { id } = await given.generatedVideo(starter)
    expect(await post(`/videos/${id}/promote`, { enabled: true })).toMatchObject(
      expectedError(402, 'warning-plan-automations'),
    )
  })

  it('402: a plan without automations has no place for one', async () => {
    const { post } = apiClientOf(await newWorld({ planId: 'free' }))
    expect(await post('/automations', { prompt: 'An idea' })).toMatchObject(
      expectedError(402, 'warning-plan-automations'),
    )
  })

  rule(['automations.create.repeat', 'events.video.created.blueprint'], async () => {
    const own = await newWorld()
    const { post, get } = apiClientOf(own)
    const [first, second] = [
      await post('/automations', { prompt: 'An idea' }, idempotencyKeyHeader('one')),
      await post('/automations', { prompt: 'An idea' }, idempotencyKeyHeader('one')),
    ]
    expect([second.status, second.body]).toEqual([201, first.body])
    expect((await get('/automations')).body.paging.total).toBe(1)
    expect((await listEvents(own.workspaceId)).map(({ type }) => type)).toEqual(['video.created'])
  })
})

describe('GET /automations', () => {
  rule(['automations.list', 'videos.list.no-blueprints'], async () => {
    const own = await newWorld()
    const { get, post } = apiClientOf(own)
    expect((await get('/automations')).body).toEqual({ data: [], paging: { limit: 50, offset: 0, total: 0 } })
    const ids: string[] = []
    for (const prompt of ['One', 'Two', 'Three']) ids.unshift((await post('/automations', { prompt })).body.data.id)
    const all = await get('/automations')
    expect(idsOf(all.body.data)).toEqual(ids)
    expect(all.body.data[0]).not.toHaveProperty('source')
    expectMatchesOpenApi('GET', '/automations', 200, all.body)
    const page = await get('/automations?limit=1&offset=1')
    expect(page.body).toEqual({ data: [all.body.data[1]], paging: { limit: 1, offset: 1, total: 3 } })
    expect((await get('/videos')).body).toMatchObject({ data: [], paging: { total: 0 } })
  })

  rule(['automations.get', 'automations.get.video'], async () => {
    const { get, post } = apiClientOf(world)
    const profileId = await connectedProfile(world, ['bluesky'])
    const { id } = await givenAutomation(world, { profileId, platforms: ['bluesky'] })
    const { body } = await get(`/automations/${id}`)
    expect(body.data).toMatchObject({
      id,
      publishing: { profileId, platforms: ['bluesky'] },
      health: { ready: true, blockers: [], nextScheduledAt: expect.any(String) },
      lastRunAt: null,
    })
    expect(body.data.source).toEqual((await get(`/videos/${id}`)).body.data)
    const plain = (await post('/videos', { prompt: 'An idea' })).body.data.id
    for (const path of [`/automations/${plain}`, `/automations/${plain}/health`])
      expect(await get(path)).toMatchObject(expectedError(404, 'not-found'))
    expect(await apiClientOf(world).post(`/automations/${plain}/run`)).toMatchObject(expectedError(404, 'not-found'))
    expect(await apiClientOf(world).remove(`/automations/${plain}`)).toMatchObject(expectedError(404, 'not-found'))
    expect(await get(`/videos/${plain}`)).toMatchObject({ status: 200 })
  })
})

describe('DELETE /automations/{id}', () => {
  rule(['automations.delete', 'limits.deleted-automation-bytes'], async () => {
    const own = await newWorld()
    const { remove, get, account } = apiClientOf(own)
    const empty = (await account()).limits
    const { id, clipId } = await armedAutomation(own)
    const { limits } = await account()
    expect(limits.automations.used).toBe(1)
    const { status, body } = await remove(`/automations/${id}`)
    expect([status, body.data]).toEqual([200, { ok: true, deletedClips: 1, deletedBytes: limits.storage.usedBytes }])
    expect(body.data.deletedBytes).toBeGreaterThan(0)
    const after = (await account()).limits
    expect([after.automations, after.storage]).toEqual([empty.automations, empty.storage])
    for (const path of [`/automations/${id}`, `/videos/${id}`, `/videos/${clipId}`])
      expect(await get(path)).toMatchObject(expectedError(404, 'not-found'))
    expect(await remove(`/automations/${id}`)).toMatchObject(expectedError(404, 'not-found'))
  })
})

it('DELETE /videos/{id} of a blueprint gives its place in the plan back as well', async () => {
  const { post, remove, account } = apiClientOf(await newWorld({ planId: 'starter' }))
  const { id } = (await post('/automations', { prompt: 'An idea' })).body.data
  expect((await account()).limits.automations.used).toBe(1)
  expect((await remove(`/videos/${id}`)).status).toBe(200)
  const { limits, credits } = await account()
  expect([limits.automations.used, credits.balance]).toEqual([0, 2_000])
})

describe('GET /automations/{id}/health', () => {
  rule('automations.health', async () => {
    const { get } = apiClientOf(world)
    const { id } = await readyAutomation(world)
    const { body } = await get(`/automations/${id}/health`)
    expectMatchesOpenApi('GET', '/automations/{id}/health', 200, body)
    const { ready, blockers, nextScheduledAt, upcoming, recent } = body.data
    expect([ready, blockers, recent]).toEqual([true, [], []])
    expect(upcoming).toHaveLength(5)
    expect(upcoming[0]).toBe(nextScheduledAt)
    const days = upcoming.map((at: string) => Date.parse(at) / (24 * 60 * 60 * 1000))
    expect(days).toEqual([0, 1, 2, 3, 4].map((day) => days[0] + day))
    const bare = await givenAutomation(world)
    const automation = (await get(`/automations/${bare.id}`)).body.data
    expect((await get(`/automations/${bare.id}/health`)).body.data.blockers).toEqual(automation.health.blockers)
  })

  rule(['automations.health.recent', 'events.automation.blocked', 'events.automation.stopped'], async () => {
    const own = await newWorld()
    const { get } = apiClientOf(own)
    const { id } = await givenAutomation(own)
    const health = async () => (await get(`/automations/${id}/health`)).body.data
    const [first, second] = (await health()).upcoming
    for (const clockAt of [first, second]) {
      await given.workspaceWith(own, { clockAt })
      await reconcileAutomation(own.workspaceId, id, null)
    }
    expect((await health()).recent).toEqual([
      { scheduledAt: second, outcome: 'stopped', clipId: null },
      { scheduledAt: first, outcome: 'blocked', clipId: null },
    ])
    expect((await get(`/automations/${id}`)).body.data).toMatchObject({
      status: 'paused',
      stopped: { reason: 'publish_not_configured', kind: 'config', stoppedAt: second },
    })
    const told = (await listEvents(own.workspaceId)).map(({ type }) => type)
    expect(told.filter((type) => type.startsWith('automation.'))).toEqual(['automation.blocked', 'automation.stopped'])
    expect((await get(`/videos/${id}/clips`)).body.paging.total).toBe(0)
  })
})
