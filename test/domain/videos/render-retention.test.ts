import { describe, expect, it } from 'vitest'
import type { PublishStatus } from '../../../lib/domain/core/states.ts'
import type { PublishJob } from '../../../lib/domain/records/jobs.ts'
import type { MediaKeys } from '../../../lib/domain/records/video.ts'
import { rendersToRetain } from '../../../lib/domain/videos/render-retention.ts'

const media = (changes: Partial<MediaKeys> = {}): MediaKeys => ({
  audioKey: null,
  captionsKey: null,
  sourceKey: null,
  renderKey: 'w/v/renders/before.mp4',
  thumbnailKey: 'w/v/renders/before.jpg',
  bytes: 1,
  ...changes,
})
const size = { bytes: 1, width: 1080, height: 1920, durationMs: 30_000 }
const publishing: Omit<PublishJob, 'status' | 'film'> = {
  runId: 'run_1',
  scheduledAt: null,
  queuedAt: null,
  startedAt: null,
  publishedAt: null,
  failedAt: null,
  deadlineAt: null,
  profileId: 'prf_1',
  platforms: [],
  missingPlatforms: [],
  unhealthyPlatforms: [],
  caption: '',
  results: [],
  error: null,
}
const staying = (changes: Partial<MediaKeys> = {}, clips = 0, publish: PublishJob | null = null) => {
  const keys = rendersToRetain({ media: media(changes), publish }, { clips }, 'w/v/renders/new.mp4')
  return keys && [...keys].map((key) => key.replace('w/v/renders/', '')).toSorted()
}

describe('when a new render completes', () => {
  it('it stays with its thumbnail and its facts, and so does the one that it replaces', () => {
    expect(staying({ renderKey: null, thumbnailKey: null })).toEqual(['new.jpg', 'new.json', 'new.mp4'])
    expect(staying()).toEqual(['before.jpg', 'before.json', 'before.mp4', 'new.jpg', 'new.json', 'new.mp4'])
  })
  it('the render that the video was converted from stays', () => {
    expect(staying({ sourceKey: 'w/v/renders/clean.mp4' })).toContain('clean.mp4')
  })
  it('a shown thumbnail stays, also that of a render that an edit cleared', () => {
    expect(staying({ renderKey: null })).toEqual(['before.jpg', 'new.jpg', 'new.json', 'new.mp4'])
  })
  it('a render that is being published stays until the publication ends, even if an edit cleared it', () => {
    const film = { key: 'w/v/renders/posted.mp4', coverKey: 'w/v/renders/posted.jpg', ...size }
    const publish = (status: PublishStatus) => ({ ...publishing, status, film })
    for (const status of ['QUEUED', 'PROCESSING'] as const)
      expect(staying({ renderKey: null }, 0, publish(status))).toEqual(
        expect.arrayContaining(['posted.jpg', 'posted.mp4']),
      )
    expect(staying({ renderKey: null }, 0, publish('COMPLETED'))).not.toContain('posted.mp4')
  })
  it('all renders stay while there are clips, which may show them', () => {
    expect(staying({}, 1)).toBeUndefined()
  })
})
