import { describe, expect, it } from 'vitest'
import { threadsPublisher } from '../../../lib/platforms/threads/publish.ts'
import { refusedEnd } from '../shared/publisher-harness.ts'
import { publisherSuite } from '../shared/publisher-suite.ts'

describe('Threads', () => {
  const harness = publisherSuite({ platform: 'threads', publisher: ({ graph = '' }) => threadsPublisher({ graph }) })

  it('rejects what Threads never accepts, before anything is sent', () => {
    expect(harness.validationCode({ caption: 'x'.repeat(500) })).toBe(undefined)
    expect(harness.validationCode({ caption: 'x'.repeat(501) })).toBe('caption-too-long')
    expect(harness.validationCode({ caption: 'https://a.example '.repeat(6) })).toBe('caption-not-allowed')
    expect(harness.validationCode({ durationMs: 301_000 })).toBe('film-too-long')
    expect(harness.validationCode({ width: 2160 })).toBe('film-wrong-format')
  })

  it('counts an emoji by its bytes, like Threads', async () => {
    const longest = `${'x'.repeat(496)}🎬`
    expect(harness.validationCode({ caption: `x${longest}` })).toBe('caption-too-long')
    expect((await harness.post({ caption: longest })).posts).toMatchObject([{ caption: longest }])
  })

  it('fails for a video that Threads cannot process', async () => {
    const { end, posts } = await harness.post({ film: { width: 360, height: 640, seconds: 5, fps: 12 } })
    expect([end, posts]).toMatchObject([{ kind: 'failed', code: 'film-wrong-format' }, []])
  })

  it('retries a failed fetch, and fails after the third', async () => {
    const fault = { op: 'create', kind: 'fail:FAILED_DOWNLOADING_VIDEO' }
    const once = await harness.post({ fault })
    expect([once.end.kind, once.posts.length]).toEqual(['done', 1])
    const always = await harness.post({ fault: { ...fault, times: 3 } })
    expect([always.end, always.posts]).toMatchObject([refusedEnd('container-failed'), []])
  })
})
