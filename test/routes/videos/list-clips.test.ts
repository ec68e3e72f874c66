/** GET /videos/{id}/clips. */
import { describe, expect, it } from 'vitest'
import { given } from '../../support/given/videos.ts'
import { expectMatchesOpenApi } from '../../support/openapi-validation.ts'
import { runClipJob } from '../../support/run-jobs.ts'
import { callApi, failGeneration, newWorld, type World } from '../../support/world.ts'
import { rule } from '../rules/rule.ts'

const post = async ({ apiKey }: World, id: string, body?: unknown, headers: Record<string, string> = {}) => {
  const answer = await callApi('POST', `/videos/${id}/clips`, { key: apiKey, body, headers })
  expectMatchesOpenApi('POST', '/videos/{id}/clips', answer.status, answer.body)
  return answer
}

const list = async ({ apiKey }: World, id: string, query = '') => {
  const answer = await callApi('GET', `/videos/${id}/clips${query}`, { key: apiKey })
  expectMatchesOpenApi('GET', '/videos/{id}/clips', answer.status, answer.body)
  return answer
}

const idsOf = async (world: World, id: string, query?: string): Promise<string[]> =>
  (await list(world, id, query)).body.data.map((clip: { id: string }) => clip.id)

describe('GET /videos/{id}/clips', () => {
  rule(['clips.list.paging', 'clips.list.order'], async () => {
    const world = await newWorld()
    const source = await given.generatedVideo(world)
    expect((await list(world, source.id)).body).toEqual({ data: [], paging: { limit: 50, offset: 0, total: 0 } })
    const made: string[] = []
    for (let count = 0; count < 4; count++) made.unshift((await post(world, source.id)).body.data.id)
    expect(await idsOf(world, source.id)).toEqual(made)
    const firstPage = await idsOf(world, source.id, '?limit=2')
    expect((await list(world, source.id, '?limit=2')).body.paging).toEqual({ limit: 2, offset: 0, total: 4 })
    expect((await list(world, source.id)).body.paging).toEqual({ limit: 50, offset: 0, total: 4 })
    await runClipJob(world, made[3]!)
    await failGeneration(world, made[1]!)
    expect(firstPage).toEqual(made.slice(0, 2))
    expect(await idsOf(world, source.id, '?limit=2&offset=2')).toEqual(made.slice(2))
    expect(await idsOf(world, source.id, '?offset=3')).toEqual(made.slice(3))
    const beyond = await list(world, source.id, '?offset=4')
    expect(beyond.body).toEqual({ data: [], paging: { limit: 50, offset: 4, total: 4 } })
  })

  it('200: items are those of a list, and other videos are not among them', async () => {
    const world = await newWorld()
    const [source, other] = [await given.generatedVideo(world), await given.generatedVideo(world)]
    await post(world, other.id)
    const clip = (await post(world, source.id)).body.data
    const { data, paging } = (await list(world, source.id, '?include=captions')).body
    expect(paging.total).toBe(1)
    const { config: _config, brief, ...rest } = clip
    const { presentationAssets: _assets, presenter: _presenter, ...listed } = brief
    expect(data).toEqual([{ ...rest, brief: listed }])
  })

  it('200: the total falls when a clip is deleted', async () => {
    const world = await newWorld()
    const source = await given.generatedVideo(world)
    const [one] = [(await post(world, source.id)).body.data.id, await post(world, source.id)]
    await callApi('DELETE', `/videos/${one}`, { key: world.apiKey })
    expect((await list(world, source.id)).body.paging.total).toBe(1)
  })

  it('400: paging out of range', async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    for (const query of ['limit=1', 'limit=100', 'offset=0'])
      expect((await list(world, id, `?${query}`)).status).toBe(200)
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'offset=1.5'])
      expect((await list(world, id, `?${query}`)).status, query).toBe(400)
  })
})
