/** Paging, as every list of videos has it. */
import { describe, expect } from 'vitest'
import { given } from '../support/given/videos.ts'
import { callApi, newWorld, type World } from '../support/world.ts'
import { rule } from './rules/rule.ts'

const post = ({ apiKey }: World, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  callApi('POST', path, { key: apiKey, body, headers })

describe('pages of videos and of clips', () => {
  const pages = async () => {
    const world = await newWorld()
    const { id } = await given.generatedVideo(world)
    await post(world, `/videos/${id}/clips`)
    const get = (path: string, query: string) => callApi('GET', `${path}?${query}`, { key: world.apiKey })
    return { get, paths: ['/videos', `/videos/${id}/clips`] }
  }

  rule('limits.page-size', async () => {
    const { get, paths } = await pages()
    for (const path of paths) {
      expect((await get(path, '')).body.paging).toEqual({ limit: 50, offset: 0, total: 1 })
      for (const limit of [1, 100]) expect((await get(path, `limit=${limit}`)).body.paging.limit).toBe(limit)
      for (const limit of [0, 101]) expect((await get(path, `limit=${limit}`)).status).toBe(400)
    }
  })

  rule('limits.offset', async () => {
    const { get, paths } = await pages()
    for (const path of paths) {
      expect((await get(path, 'offset=0')).body.data).toHaveLength(1)
      expect((await get(path, 'offset=1')).body).toEqual({ data: [], paging: { limit: 50, offset: 1, total: 1 } })
      expect((await get(path, 'offset=-1')).status).toBe(400)
    }
  })
})
