/** Through Zernio every platform can be posted to, with its own options; the account's settings select the route. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { platforms } from '../../../lib/domain/core/platform.ts'
import { publisherOf } from '../../../lib/platforms/publishers.ts'
import { usePublisherHarness } from '../shared/publisher-harness.ts'

describe.each(platforms.map(({ id }) => id))('%s', (platform) => {
  const settings = { via: 'zernio' }
  const harness = usePublisherHarness({
    platform,
    settings,
    publisher: (urls) => {
      vi.stubEnv('PLATFORM_URLS', JSON.stringify({ [platform]: urls }))
      onTestFinished(() => void vi.unstubAllEnvs())
      return publisherOf(platform, settings)
    },
  })

  it('is posted to by Zernio, once, within its own limits', async () => {
    const { end, ops, posts } = await harness.post()
    expect(ops.every((op) => op.startsWith('zernio-'))).toBe(true)
    expect(posts).toHaveLength(1)
    expect(end).toMatchObject({ kind: 'done', externalId: posts[0]!.externalId })
    expect(harness.publisher.platform).toBe(platform)
    expect(harness.publisher.validate(...harness.checkInput({ bytes: 1e13 }))).toMatchObject({ code: 'film-too-large' })
  })
})

it('an account without Zernio settings is posted to directly', () => {
  vi.stubEnv('PLATFORM_URLS', '{}')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(publisherOf('pinterest', {}).initialState(post)).toEqual({ step: 'board' })
  expect(publisherOf('pinterest', { via: 'zernio' }).initialState(post)).toEqual({
    step: 'post',
    armedAt: post.acceptedAt,
  })
})

const post = {
  id: 'post1',
  caption: 'A film',
  title: 'Film',
  language: 'en',
  acceptedAt: '2026-11-20T12:00:00.000Z',
  film: {
    bytes: 1,
    width: 1,
    height: 1,
    durationMs: 1,
    url: 'https://example.com/a',
    coverUrl: 'https://example.com/b',
  },
}
