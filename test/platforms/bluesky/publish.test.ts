/** Bluesky: the shared publisher guarantees, for videos sent whole and in parts, and the rules specific to Bluesky. */
import { describe, expect, it } from 'vitest'
import { blueskyPublisher } from '../../../lib/platforms/bluesky/publish.ts'
import { blueskyUrls } from '../../../lib/platforms/bluesky/urls.ts'
import type { PlatformUrls } from '../../../lib/platforms/publisher.ts'
import { refusedEnd, threeDaysMinutes } from '../shared/publisher-harness.ts'
import { publisherSuite } from '../shared/publisher-suite.ts'

const externalId = (number: number) => `did:plc:user${number}`

describe('in a single request', () => {
  const harness = publisherSuite({
    platform: 'bluesky',
    publisher: (urls) => blueskyPublisher({ ...blueskyUrls, ...urls }),
    externalId,
  })

  it('a video that was uploaded before is not processed again', async () => {
    const { end, ops } = await harness.post({ fault: { op: 'upload', kind: 'reset-after' } })
    expect([end.kind, ops.filter((op) => op === 'upload').length]).toEqual(['done', 2])
  })

  it('a repeated post is the same post', async () => {
    const { end, posts, ops } = await harness.post({ fault: { op: 'put', kind: 'reset-before' } })
    expect([end.kind, posts.length, ops.filter((op) => op === 'put').length]).toEqual(['done', 1, 2])
    expect(posts[0]!.fields.createdAt).toMatch(/^2026-/)
  })

  it('a video that the service cannot process is not posted', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'status', kind: 'fail:encoding_failure' } })
    expect([end, posts]).toEqual([refusedEnd('encoding_failure'), []])
  })

  it('a video that is processed forever is not posted', async () => {
    const { end, posts } = await harness.post({ fault: { op: 'status', kind: 'stuck-processing' } })
    expect([end.kind, posts]).toEqual(['failed', []])
  })

  it('a daily limit is waited for', async () => {
    const { end, posts } = await harness.post({
      fault: { op: 'upload', kind: 'quota-full' },
      minutes: threeDaysMinutes,
    })
    expect([end.kind, posts.length]).toEqual(['done', 1])
  })

  it('a text that is too long is sent whole, and refused', async () => {
    const { end, posts } = await harness.post({ caption: 'a'.repeat(301) })
    expect([end, posts]).toEqual([refusedEnd('InvalidRequest'), []])
  })

  it('the server that an account names is used', async () => {
    const settings = { pds: `${harness.sandbox.urlsOf('bluesky').pds}/elsewhere` }
    const { end, posts } = await harness.post({ settings })
    expect([end, posts]).toEqual([refusedEnd('status-404'), []])
  })
})

describe('in parts', () => {
  const inParts = (urls: PlatformUrls) => blueskyPublisher({ ...blueskyUrls, ...urls }, 0)
  const harness = publisherSuite({ platform: 'bluesky', publisher: inParts, externalId })

  it('only the lost part is sent again', async () => {
    const { posts, ops, sha256 } = await harness.post({ fault: { op: 'part', nth: 2, kind: 'reset-after' } })
    expect(ops.filter((op) => op === 'part')).toHaveLength(4)
    expect(ops.filter((op) => op === 'start')).toHaveLength(1)
    expect(posts).toMatchObject([{ sha256 }])
  })

  it.each(['part', 'finish'])('an upload that has expired by its %s is restarted', async (op) => {
    const { end, posts, ops } = await harness.post({ fault: { op, kind: 'fail:expired' } })
    expect([end.kind, posts.length, ops.filter((op) => op === 'start').length]).toEqual(['done', 1, 2])
  })
})
