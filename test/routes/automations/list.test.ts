/** GET /automations and GET /automations/{id}. */
import { beforeAll, describe, expect } from 'vitest'
import { apiClientOf, idsOf } from '../../support/api-client.ts'
import { connectedProfile, givenAutomation } from '../../support/given/automations.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { expectedError } from '../../support/refusals.ts'
import { newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

let world: World

beforeAll(async () => {
  world = await newWorld()
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
})

describe('GET /automations/{id}', () => {
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
