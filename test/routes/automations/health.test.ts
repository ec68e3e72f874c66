/** GET /automations/{id}/health. */
import { beforeAll, describe, expect } from 'vitest'
import { listEvents } from '../../../lib/store/event-journal.ts'
import { reconcileAutomation } from '../../../lib/use-cases/automations/reconcile-automation.ts'
import { apiClientOf } from '../../support/api-client.ts'
import { givenAutomation, readyAutomation } from '../../support/given/automations.ts'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
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
