/** Pinterest: the shared publisher guarantees, and the rules specific to Pinterest. */
import { describe, expect, it } from 'vitest'
import { pinterestPublisher } from '../../../lib/platforms/pinterest/publish.ts'
import { pinterestUrls } from '../../../lib/platforms/pinterest/urls.ts'
import { refusedEnd } from '../shared/publisher-harness.ts'
import { publisherSuite } from '../shared/publisher-suite.ts'

const harness = publisherSuite({
  platform: 'pinterest',
  publisher: (urls) => pinterestPublisher({ ...pinterestUrls, ...urls }),
})

describe('Pinterest', () => {
  it('creates a pin on the first board, or on the one that the account chose', async () => {
    const { posts, account } = await harness.post()
    expect(posts).toMatchObject([{ fields: { board: `${account.externalId}001` } }])
    const settings = { board: `${Number(account.externalId) + 1}002` }
    expect((await harness.post({ settings })).posts).toMatchObject([{ fields: settings }])
  })

  it('reports a missing board, and a board of another user', async () => {
    const bare = await harness.post({ fault: { op: 'boards', kind: 'fail:no-board' } })
    expect([bare.end, bare.posts]).toEqual([expect.objectContaining({ code: 'settings-missing' }), []])
    const foreign = await harness.post({ settings: { board: '12' } })
    expect([foreign.end, foreign.posts]).toEqual([refusedEnd('40', 'Board not found.'), []])
  })

  it('posts nothing when it cannot process the video', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'media', kind: 'fail' } })
    expect([end, posts]).toEqual([refusedEnd('media-failed'), []])
  })

  it('posts nothing while a video is processed forever', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'media', kind: 'stuck-processing' } })
    expect([end.kind, posts]).toEqual(['failed', []])
  })

  it('sends no account token to the upload host', async () => {
    await harness.post()
    const uploads = harness.sandbox.requestLog.list().filter(({ op }) => op === 'upload')
    expect(uploads.length).toBeGreaterThan(0)
    expect(uploads.every(({ headers }) => headers.authorization === undefined)).toBe(true)
  })

  it('lists a pin late, which is found then', async () => {
    const { end, posts, ops } = await harness.post({ fault: { op: 'pin', kind: 'reset-after' } })
    expect(ops.filter((op) => op === 'pins').length).toBeGreaterThan(1)
    expect(end).toMatchObject({ kind: 'done', isAdopted: true, externalId: posts[0]!.externalId })
  })

  it('rejects a text that is too long, which is sent whole', async () => {
    const { end, posts } = await harness.post({ caption: 'a'.repeat(801) })
    expect([end, posts]).toEqual([refusedEnd('1'), []])
  })

  it('restarts an expired upload', async () => {
    const { end, posts, ops } = await harness.post({ fault: { op: 'upload', kind: 'http:403' } })
    expect([end.kind, posts.length, ops.filter((op) => op === 'register').length]).toEqual(['done', 1, 2])
  })
})
