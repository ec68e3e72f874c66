/** X: what every publisher promises, and what is X's own. */
import { describe, expect, it } from 'vitest'
import { twitterPublisher } from '../../../lib/platforms/twitter/publish.ts'
import { twitterUrls } from '../../../lib/platforms/twitter/urls.ts'
import { refusedEnd } from '../shared/publisher-harness.ts'
import { publisherSuite } from '../shared/publisher-suite.ts'

const stage = publisherSuite({
  platform: 'twitter',
  publisher: (urls) => twitterPublisher({ ...twitterUrls, ...urls }),
})
const upright = { width: 540, height: 960, seconds: 5 }

describe('X', () => {
  it('gets a film in segments, none twice where one is lost', async () => {
    const film = { ...upright, paddedTo: 9 * 1024 * 1024 }
    const { ops, posts, sha256 } = await stage.post({ film, fault: { op: 'append', nth: 2, kind: 'reset-after' } })
    expect(ops.filter((op) => op === 'append')).toHaveLength(4)
    expect(posts).toMatchObject([{ sha256 }])
  })

  it('refuses a film that it cannot process, and nothing is posted', async () => {
    const { end, posts } = await stage.post({ fault: { op: 'status', kind: 'fail' } })
    expect([end, posts]).toEqual([refusedEnd('media-processing-failed'), []])
  })

  it('is not posted to while a film is processed for ever', async () => {
    const { end, posts } = await stage.post({ fault: { op: 'status', kind: 'stuck-processing' } })
    expect([end.kind, posts]).toEqual(['failed', []])
  })

  it('says that it has a text already, and that is told', async () => {
    const { end, posts } = await stage.post({ fault: { op: 'post', kind: 'duplicate' } })
    expect([end, posts]).toMatchObject([{ kind: 'failed', code: 'warning-publish-duplicate' }, []])
  })

  it('says that the month is used up, and nobody waits for the next', async () => {
    const { end, posts } = await stage.post({ fault: { op: 'post', kind: 'quota-full' } })
    expect([end, posts]).toEqual([refusedEnd('usage-capped'), []])
  })

  it('is known to have a post when its list shows it late', async () => {
    const { end, posts, ops } = await stage.post({ fault: { op: 'post', kind: 'reset-after' } })
    expect(ops.filter((op) => op === 'timeline').length).toBeGreaterThan(1)
    expect(end).toMatchObject({ kind: 'done', isAdopted: true, externalId: posts[0]!.externalId })
  })

  it('refuses words that are too long, which are sent whole', async () => {
    const { end, posts } = await stage.post({ caption: 'a'.repeat(281) })
    expect([end, posts]).toEqual([refusedEnd('status-403'), []])
  })

  it('begins anew with an upload that has ended', async () => {
    const { end, posts, ops } = await stage.post({ fault: { op: 'append', kind: 'http:404' } })
    expect([end.kind, posts.length, ops.filter((op) => op === 'initialize').length]).toEqual(['done', 1, 2])
  })
})
