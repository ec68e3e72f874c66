import { describe, expect, it } from 'vitest'
import type { StoredBRoll } from '../../lib/domain/generation/b-rolls.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import { compose } from '../../lib/render/compose.ts'
import { planRender } from '../../lib/render/segments/render-plan.ts'
import { hasConstantFrameRate } from '../../lib/render/source-arguments.ts'
import { videoThatIs } from '../domain/support/videos.ts'

const generated = videoThatIs.generated()
const video: Video = {
  ...generated,
  type: 'video',
  durationSeconds: 10,
  media: { ...generated.media, sourceKey: 'source.mp4' },
}
const segment = (id: string, startMs: number, endMs: number, fields: Partial<StoredBRoll> = {}): StoredBRoll => ({
  id,
  startMs,
  endMs,
  text: '',
  prompt: '',
  keywords: [],
  mediaType: 'ai_image',
  hidden: false,
  media: { kind: 'still', key: `${id}.png` },
  ...fields,
})
const shown = (...bRolls: StoredBRoll[]) => compose(video, { captions: [], captionsPages: [], bRolls })
const spans = (...bRolls: StoredBRoll[]) =>
  shown(...bRolls).shots.map(({ media, startMs, endMs, offsetMs }) => [
    'key' in media && media.key,
    startMs,
    endMs,
    offsetMs,
  ])

describe('a source video', () => {
  it('is visible from its start to its end where nothing covers it', () => {
    expect(spans()).toEqual([['source.mp4', 0, 10_000, 0]])
    expect(spans(segment('a', 1_000, 2_000, { media: null }), segment('b', 3_000, 4_000, { hidden: true }))).toEqual([
      ['source.mp4', 0, 10_000, 0],
    ])
  })

  it('continues beneath its b-rolls', () => {
    expect(spans(segment('b', 6_000, 8_000), segment('a', 2_000, 3_500))).toEqual([
      ['source.mp4', 0, 2_000, 0],
      ['a.png', 2_000, 3_500, undefined],
      ['source.mp4', 3_500, 6_000, 3_500],
      ['b.png', 6_000, 8_000, undefined],
      ['source.mp4', 8_000, 10_000, 8_000],
    ])
  })

  it('is hidden if b-rolls follow one another, overlap or extend to the end', () => {
    expect(spans(segment('a', 0, 4_000), segment('b', 3_000, 5_000), segment('c', 5_000, 12_000))).toEqual([
      ['a.png', 0, 3_000, undefined],
      ['b.png', 3_000, 5_000, undefined],
      ['c.png', 5_000, 10_000, undefined],
    ])
  })

  it('is shown from the frame at that time', () => {
    const { segments } = planRender(shown(segment('a', 2_000, 3_500)))
    const last = segments.at(-1)!
    expect(last.layer).toMatchObject({ media: { key: 'source.mp4' }, fromFrame: 105, offsetFrames: 105 })
    expect(segments[0]!.layer.offsetFrames).toBe(0)
  })
})

describe('a stream whose frames can be copied', () => {
  it('has one for each frame of a render, from 0 on, in any order of storage', () => {
    expect(hasConstantFrameRate([0, 1_024, 512, 1_536], 15_360)).toBe(true)
    expect(hasConstantFrameRate([0, 3_003, 6_006], 90_000)).toBe(false)
    expect(hasConstantFrameRate([512, 1_024], 15_360)).toBe(false)
    expect(hasConstantFrameRate([0, 512, 1_536], 15_360)).toBe(false)
    expect(hasConstantFrameRate([0, 614, 1_229], 15_360)).toBe(false)
  })
})
