/** X: the shared publisher guarantees, and the rules specific to X. */
import { describe, expect, it } from 'vitest'
import { twitterPublisher } from '../../../lib/platforms/twitter/publish.ts'
import { twitterUrls } from '../../../lib/platforms/twitter/urls.ts'
import { refusedEnd } from '../shared/publisher-harness.ts'
import { publisherSuite } from '../shared/publisher-suite.ts'

const harness = publisherSuite({
  platform: 'twitter',
  publisher: (urls) => twitterPublisher({ ...twitterUrls, ...urls }),
})
const upright = { width: 540, height: 960, seconds: 5 }

describe('X', () => {
  it('uploads a video in parts, and repeats none when one is lost', async () => {
    const film = { ...upright, paddedTo: 9 * 1024 * 1024 }
    const { ops, posts, sha256 } = await harness.post({ film, fault: { op: 'append', nth: 2, kind: 'reset-after' } })
    expect(ops.filter((op) => op === 'append')).toHaveLength(4)
    expect(posts).toMatchObject([{ sha256 }])
  })

  it('posts nothing when it cannot process the video', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'status', kind: 'fail' } })
    expect([end, posts]).toEqual([refusedEnd('media-processing-failed'), []])
  })

  it('posts nothing while a video is processed forever', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'status', kind: 'stuck-processing' } })
    expect([end.kind, posts]).toEqual(['failed', []])
  })

  it('reports a duplicate text, which is passed on', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'post', kind: 'duplicate' } })
    expect([end, posts]).toMatchObject([{ kind: 'failed', code: 'warning-publish-duplicate' }, []])
  })

  it('reports a used-up monthly quota, which is not waited for', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'post', kind: 'quota-full' } })
    expect([end, posts]).toEqual([refusedEnd('usage-capped'), []])
  })

  it('lists a post late, which is found then', async () => {
    const { end, posts, ops } = await harness.post({ fault: { op: 'post', kind: 'reset-after' } })
    expect(ops.filter((op) => op === 'timeline').length).toBeGreaterThan(1)
    expect(end).toMatchObject({ kind: 'done', isAdopted: true, externalId: posts[0]!.externalId })
  })

  it('rejects a text that is too long, which is sent whole', async () => {
    const { end, posts } = await harness.post({ caption: 'a'.repeat(281) })
    expect([end, posts]).toEqual([refusedEnd('status-403'), []])
  })

  it('restarts an expired upload', async () => {
    const { end, posts, ops } = await harness.post({ fault: { op: 'append', kind: 'http:404' } })
    expect([end.kind, posts.length, ops.filter((op) => op === 'initialize').length]).toEqual(['done', 1, 2])
  })
})
