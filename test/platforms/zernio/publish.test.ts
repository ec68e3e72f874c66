import { describe, expect, it } from 'vitest'
import { pinterestPublisher } from '../../../lib/platforms/pinterest/publish.ts'
import { zernioPublisher } from '../../../lib/platforms/zernio/publish.ts'
import { zernioUrls } from '../../../lib/platforms/zernio/urls.ts'
import { refusedEnd } from '../shared/publisher-harness.ts'
import { publisherSuite } from '../shared/publisher-suite.ts'

const harness = publisherSuite({
  platform: 'pinterest',
  publisher: (urls) => zernioPublisher(pinterestPublisher(), { ...zernioUrls, ...urls }),
  settings: { via: 'zernio' },
})

describe('Zernio', () => {
  it('gets one request with the URL of the video, and then is polled', async () => {
    const { ops, steps, posts } = await harness.post()
    expect(steps).toEqual(['post', 'watch', 'watch'])
    expect(ops).toEqual(['zernio-create', 'zernio-post', 'zernio-post'])
    expect(posts).toMatchObject([{ title: expect.stringContaining('Film'), fields: { via: 'zernio' } }])
  })

  it('limits the text as the platform does', () => {
    expect(harness.publisher.validate(...harness.checkInput({ caption: 'a'.repeat(801) }))).toMatchObject({
      code: 'caption-too-long',
    })
    expect(harness.publisher.validate(...harness.checkInput())).toBeNull()
  })

  it('reports a refusal of the platform with its own message', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'zernio-create', kind: 'fail:platform_rejected' } })
    expect([end, posts]).toEqual([refusedEnd('platform_rejected', 'It is refused.'), []])
  })

  it('leaves a post unknown that Zernio retries itself, or processes forever', async () => {
    for (const kind of ['fail:platform_rate_limit', 'stuck-processing']) {
      const { end, posts } = await harness.post({ fault: { op: 'zernio-create', kind } })
      expect([kind, end, posts]).toEqual([kind, { kind: 'unknown' }, []])
    }
  })

  it('finds a post by our id after a lost response, even if its list shows it late', async () => {
    const { end, ops, posts } = await harness.post({ fault: { op: 'zernio-create', kind: 'reset-after' } })
    expect(ops.filter((op) => op === 'zernio-create')).toHaveLength(1)
    expect(ops.filter((op) => op === 'zernio-list').length).toBeGreaterThan(1)
    expect(end).toMatchObject({ kind: 'done', externalId: posts[0]!.externalId, url: posts[0]!.url })
  })

  it('does not report a post as failed because it cannot be read', async () => {
    const fault = { op: 'zernio-post', kind: 'http:404', times: 1_000 }
    expect(await harness.post({ fault })).toMatchObject({ end: { kind: 'unknown' }, posts: [{}] })
  })
})
