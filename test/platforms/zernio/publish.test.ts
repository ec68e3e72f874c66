import { describe, expect, it } from 'vitest'
import { pinterestPublisher } from '../../../lib/platforms/pinterest/publish.ts'
import { zernioPublisher } from '../../../lib/platforms/zernio/publish.ts'
import { zernioUrls } from '../../../lib/platforms/zernio/urls.ts'
import { refusedEnd } from '../shared/publisher-harness.ts'
import { publisherSuite } from '../shared/publisher-suite.ts'

const stage = publisherSuite({
  platform: 'pinterest',
  publisher: (urls) => zernioPublisher(pinterestPublisher(), { ...zernioUrls, ...urls }),
  settings: { via: 'zernio' },
})

describe('Zernio', () => {
  it('is asked once, with the address of the film, and then watched', async () => {
    const { ops, steps, posts } = await stage.post()
    expect(steps).toEqual(['post', 'watch', 'watch'])
    expect(ops).toEqual(['zernio-create', 'zernio-post', 'zernio-post'])
    expect(posts).toMatchObject([{ title: expect.stringContaining('Film'), fields: { via: 'zernio' } }])
  })

  it('takes no more words than the platform does', () => {
    expect(stage.publisher.validate(...stage.checkInput({ caption: 'a'.repeat(801) }))).toMatchObject({
      code: 'caption-too-long',
    })
    expect(stage.publisher.validate(...stage.checkInput())).toBeNull()
  })

  it('says in its own words what the platform refuses', async () => {
    const { end, posts } = await stage.post({ fault: { op: 'zernio-create', kind: 'fail:platform_rejected' } })
    expect([end, posts]).toEqual([refusedEnd('platform_rejected', 'It is refused.'), []])
  })

  it('leaves a post unknown that it tries again by itself, or is at work on for ever', async () => {
    for (const kind of ['fail:platform_rate_limit', 'stuck-processing']) {
      const { end, posts } = await stage.post({ fault: { op: 'zernio-create', kind } })
      expect([kind, end, posts]).toEqual([kind, { kind: 'unknown' }, []])
    }
  })

  it('knows a post whose making was not answered by our id, though its list shows it late', async () => {
    const { end, ops, posts } = await stage.post({ fault: { op: 'zernio-create', kind: 'reset-after' } })
    expect(ops.filter((op) => op === 'zernio-create')).toHaveLength(1)
    expect(ops.filter((op) => op === 'zernio-list').length).toBeGreaterThan(1)
    expect(end).toMatchObject({ kind: 'done', externalId: posts[0]!.externalId, url: posts[0]!.url })
  })

  it('does not say that a post has failed because it cannot be shown', async () => {
    const fault = { op: 'zernio-post', kind: 'http:404', times: 1_000 }
    expect(await stage.post({ fault })).toMatchObject({ end: { kind: 'unknown' }, posts: [{}] })
  })
})
