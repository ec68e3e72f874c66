/** POST /automations. */
import { beforeAll, describe, expect, it } from 'vitest'
import { listEvents } from '../../../lib/store/event-journal.ts'
import { apiClientOf, idempotencyKeyHeader, idsOf } from '../../support/api-client.ts'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { expectedError } from '../../support/refusals.ts'
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

  it('402: the plan has no automations', async () => {
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
