/** POST /automations/{id}/run. */
import { describe, expect } from 'vitest'
import { getVideo } from '../../../lib/store/videos.ts'
import { apiClientOf, idempotencyKeyHeader, idsOf } from '../../support/api-client.ts'
import { givenAutomation, readyAutomation } from '../../support/given/automations.ts'
import { given } from '../../support/given/videos.ts'
import { expectedError } from '../../support/refusals.ts'
import { newWorld } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

describe('POST /automations/{id}/run', () => {
  rule(['automations.run', 'automations.run.repeat'], async () => {
    const own = await newWorld({ planId: 'starter' })
    const { post, get, account } = apiClientOf(own)
    const { id } = await readyAutomation(own)
    const before = await account()
    const first = await post(`/automations/${id}/run`, undefined, idempotencyKeyHeader('one'))
    expect(first).toMatchObject({
      status: 201,
      body: { data: { isAutomation: false, parentVideoId: id, process: { status: 'QUEUED' } } },
    })
    const after = await account()
    expect(before.credits.balance - after.credits.balance).toBe(10)
    expect((await post(`/automations/${id}/run`, undefined, idempotencyKeyHeader('one'))).body).toEqual(first.body)
    expect(await account()).toEqual(after)
    const automation = (await get(`/automations/${id}`)).body.data
    expect(automation.lastRunAt).toBe(first.body.data.createdAt)
    // The timetable goes on beside it: this clip has no slot.
    expect((await getVideo(own.workspaceId, id)).automation?.waitingClipId).toBeNull()
    expect(idsOf((await get(`/videos/${id}/clips`)).body.data)).toEqual([first.body.data.id])
  })

  rule('automations.run.blockers', async () => {
    const own = await newWorld()
    const { post, account } = apiClientOf(own)
    const { id } = await givenAutomation(own)
    const before = await account()
    const bare = await post(`/automations/${id}/run`)
    expect(bare).toMatchObject(expectedError(409, 'warning-publish-not-configured'))
    expect(idsOf(bare.body.error.blockers)).toEqual(['no-profile', 'no-platforms'])
    const fresh = await post('/automations', { prompt: 'An idea' })
    const early = await post(`/automations/${fresh.body.data.id}/run`)
    expect(idsOf(early.body.error.blockers)).toContain('source-not-ready')
    const poor = await newWorld({ planId: 'starter' })
    const ready = await readyAutomation(poor)
    await given.workspaceWith(poor, { creditsBalance: 9 })
    expect(idsOf((await apiClientOf(poor).post(`/automations/${ready.id}/run`)).body.error.blockers)).toEqual([
      'no-credits',
    ])
    expect((await account()).limits.generations.used).toBe(before.limits.generations.used + 1)
  })
})
