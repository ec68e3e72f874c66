/** Cached search results of footage collections: stored for a day, and never larger than a row. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { cacheSearch, findCachedSearch } from '../../lib/store/search-cache.ts'

const searched = '2026-11-21T12:00:00.000Z'

describe('a search result', () => {
  it('is cached for a day', async () => {
    const search = `https://pexels.example/?query=${randomUUID()}`
    expect(await findCachedSearch(search, searched)).toBeUndefined()
    await cacheSearch(search, '{"videos":[]}', searched)
    expect(await findCachedSearch(search, '2026-11-22T11:59:59.000Z')).toBe('{"videos":[]}')
    expect(await findCachedSearch(search, '2026-11-22T12:00:00.000Z')).toBeUndefined()
  })

  it('may belong to a query of any length', async () => {
    const search = `https://pexels.example/?query=${randomUUID()}${'waves '.repeat(1_000)}`
    await cacheSearch(search, '{}', searched)
    expect(await findCachedSearch(search, searched)).toBe('{}')
  })

  it('is not cached when it is too large', async () => {
    const search = `https://pexels.example/?query=${randomUUID()}`
    await cacheSearch(search, '浪'.repeat(150_000), searched)
    expect(await findCachedSearch(search, searched)).toBeUndefined()
  })
})
