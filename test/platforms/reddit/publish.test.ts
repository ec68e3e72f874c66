/** Reddit: the shared publisher guarantees, and the rules specific to Reddit. */
import { describe, expect, it } from 'vitest'
import { redditPublisher } from '../../../lib/platforms/reddit/publish.ts'
import { redditUrls } from '../../../lib/platforms/reddit/urls.ts'
import { refusedEnd } from '../shared/publisher-harness.ts'
import { publisherSuite } from '../shared/publisher-suite.ts'

const harness = publisherSuite({ platform: 'reddit', publisher: (urls) => redditPublisher({ ...redditUrls, ...urls }) })

describe('Reddit', () => {
  it('posts to the profile of the account, or to the subreddit that it chose', async () => {
    const { posts, account } = await harness.post({ title: 'A title' })
    expect(posts).toMatchObject([{ title: 'A title', fields: { subreddit: `u_${account.username}` } }])
    const settings = { subreddit: 'videos' }
    expect((await harness.post({ settings })).posts).toMatchObject([{ fields: settings }])
  })

  it.each([
    ['SUBREDDIT_NOTALLOWED', { fault: { op: 'submit', kind: 'fail:SUBREDDIT_NOTALLOWED' } }],
    ['SUBREDDIT_NOEXIST', { settings: { subreddit: 'elsewhere' } }],
  ])('reports errors in a successful response: %s', async (code, attempt) => {
    const { end, posts } = await harness.post(attempt)
    expect([end, posts]).toEqual([refusedEnd(code), []])
  })

  it('has a rate limit per user, which is waited for', async () => {
    const before = harness.sandbox.clock.now()
    const { end, posts } = await harness.post({ fault: { op: 'submit', kind: 'quota-full' } })
    expect([end.kind, posts.length]).toEqual(['done', 1])
    expect(harness.sandbox.clock.now() - before).toBeGreaterThanOrEqual(120_000)
  })

  it('reports a duplicate video, which is passed on', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'submit', kind: 'duplicate' } })
    expect([end, posts]).toMatchObject([{ kind: 'failed', code: 'warning-publish-duplicate' }, []])
  })

  it('does not report a video that it could not process: the result is unknown, and nothing is sent again', async () => {
    const { end, posts, ops } = await harness.post({ fault: { op: 'submit', kind: 'fail' } })
    expect([end.kind, posts, ops.filter((op) => op === 'submit').length]).toEqual(['unknown', [], 1])
  })

  it('gets no second post before its list had ten minutes to show the first', async () => {
    const { end, posts, ops } = await harness.post({ fault: { op: 'submit', kind: 'reset-before' } })
    expect([end.kind, posts.length]).toEqual(['done', 1])
    expect(ops.filter((op) => op === 'list').length).toBeGreaterThan(6)
  })

  it('rejects a text that is too long, which is sent whole', async () => {
    const { end, posts } = await harness.post({ title: 'a'.repeat(301) })
    expect([end, posts]).toEqual([refusedEnd('TOO_LONG'), []])
  })

  it('restarts an expired upload', async () => {
    const { end, posts, ops } = await harness.post({ fault: { op: 'upload', kind: 'http:403' } })
    expect([end.kind, posts.length, ops.filter((op) => op === 'lease').length]).toEqual(['done', 1, 3])
  })
})
