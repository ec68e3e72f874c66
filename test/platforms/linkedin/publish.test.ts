/** LinkedIn: the shared publisher guarantees, and the rules specific to LinkedIn. */
import { describe, expect, it } from 'vitest'
import { linkedinPublisher } from '../../../lib/platforms/linkedin/publish.ts'
import { linkedinUrls } from '../../../lib/platforms/linkedin/urls.ts'
import { refusedEnd, usePublisherHarness } from '../shared/publisher-harness.ts'
import { publisherSuite } from '../shared/publisher-suite.ts'

const subject = {
  platform: 'linkedin',
  publisher: (urls: Readonly<Record<string, string>>) => linkedinPublisher({ ...linkedinUrls, ...urls }),
  externalId: (number: number) => `urn:li:organization:${number}`,
} as const
const harness = publisherSuite(subject)
const members = usePublisherHarness({ ...subject, externalId: (number) => `urn:li:person:p${number}` })
const upright = { width: 540, height: 960, seconds: 5 }

describe('LinkedIn', () => {
  it('uploads the requested parts, without a token', async () => {
    const film = { ...upright, paddedTo: 9_000_000 }
    const { ops, posts, sha256 } = await harness.post({ film, fault: { op: 'part', nth: 2, kind: 'reset-after' } })
    expect(ops.filter((op) => op === 'part')).toHaveLength(4)
    expect(posts).toMatchObject([{ sha256 }])
    const parts = harness.sandbox.requestLog.list().filter(({ op }) => op === 'part')
    expect(parts.every(({ headers }) => headers.authorization === undefined)).toBe(true)
  })

  it('shows every character of a caption, and formats hashtags', async () => {
    const caption = 'A (b) [c] {d} <e> f_g *h* ~i~ | \\ @j C# #Tag_1 #日本 1 #2'
    expect((await harness.post({ caption })).posts).toMatchObject([{ caption }])
  })

  it('posts nothing when it cannot process the video', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'video', kind: 'fail:CODEC' } })
    expect([end, posts]).toEqual([refusedEnd('PROCESSING_FAILED', 'CODEC'), []])
  })

  it('posts nothing while a video is processed forever', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'video', kind: 'stuck-processing' } })
    expect([end.kind, posts]).toEqual(['failed', []])
  })

  it('names the existing duplicate, which is reported as the post', async () => {
    const { end } = await harness.post({ fault: { op: 'post', kind: 'duplicate' } })
    expect(end).toMatchObject({ kind: 'done', isAdopted: true, externalId: 'urn:li:share:7000000000000000000' })
  })

  it("does not allow reading a member's posts: after a lost response nothing is sent again, and the result is unknown", async () => {
    for (const kind of ['reset-before', 'reset-after']) {
      const { end, posts, ops } = await members.post({ fault: { op: 'post', kind } })
      expect([end.kind, posts.length, ops.filter((op) => op === 'post').length]).toEqual([
        'unknown',
        kind === 'reset-after' ? 1 : 0,
        1,
      ])
    }
  })

  it('shows a member’s post like any other', async () => {
    const { end, posts } = await members.post()
    expect(end).toMatchObject({ kind: 'done', externalId: posts[0]!.externalId })
  })

  it('lists a post late, which is found then and not created twice', async () => {
    const { end, ops } = await harness.post({ fault: { op: 'post', kind: 'reset-after' } })
    expect(ops.filter((op) => op === 'list').length).toBeGreaterThan(1)
    expect(end).toMatchObject({ kind: 'done', isAdopted: true })
    expect(ops.filter((op) => op === 'post')).toHaveLength(1)
  })

  it('rejects a text that is too long, which is sent whole', async () => {
    const { end, posts } = await harness.post({ caption: 'a'.repeat(3001) })
    expect([end, posts]).toEqual([refusedEnd('INVALID_PARAMETER'), []])
  })

  it('restarts an expired upload', async () => {
    const { end, posts, ops } = await harness.post({ fault: { op: 'part', kind: 'http:404' } })
    expect([end.kind, posts.length, ops.filter((op) => op === 'part').length]).toEqual(['done', 1, 2])
  })
})
