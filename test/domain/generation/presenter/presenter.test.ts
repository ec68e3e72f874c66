import { describe, expect, it } from 'vitest'
import type { StoredBRoll } from '../../../../lib/domain/generation/b-rolls.ts'
import {
  type PresenterInput,
  planPresenter,
  withPresenter,
} from '../../../../lib/domain/generation/presenter/presenter.ts'
import type { Video } from '../../../../lib/domain/records/video.ts'
import { presenterPrice } from '../../../../lib/domain/workspaces/plan.ts'
import { refusalCodeOf } from '../../../support/refusals.ts'
import { at, videoThatIs } from '../../support/videos.ts'

const segmentOf = (id: string, startMs: number, endMs: number): StoredBRoll => ({
  id,
  startMs,
  endMs,
  text: '',
  prompt: '',
  keywords: [],
  mediaType: 'ai_image',
  hidden: false,
  media: null,
})
/** 12.5 seconds long. */
const video = videoThatIs.generated()
const bRolls = [segmentOf('brl_1', 0, 5_000), segmentOf('brl_2', 5_000, 20_000), segmentOf('brl_3', 12_500, 20_000)]
const input = { imageUrl: 'https://example.com/a.png', avatarId: null, name: 'Clara' }
const plan = planPresenter(video, bRolls, 'brl_1', input)
const clip = { key: 'k.mp4', bytes: 7 }

describe('a presenter', () => {
  it('costs 1 avatar credit per started 5 seconds', () => {
    expect([1, 5_000, 5_001, 10_000, 10_001].map(presenterPrice)).toEqual([1, 1, 2, 2, 3])
  })

  it('speaks for the whole b-roll, and for one that exceeds the narration only as long as there is sound', () => {
    expect(plan).toMatchObject({ startMs: 0, durationMs: 5_000 })
    expect(planPresenter(video, bRolls, 'brl_2', input)).toMatchObject({ startMs: 5_000, durationMs: 7_500 })
    expect(() => planPresenter(video, bRolls, 'brl_3', input)).toThrow('outside the narration')
  })

  it('replaces the media of its b-roll, whatever else was edited meanwhile', () => {
    const edited = bRolls.map((segment) => ({ ...segment, text: 'Edited' }))
    const { bRolls: after, segment } = withPresenter(edited, plan, clip, at(9))
    expect(segment).toEqual({
      ...edited[0],
      media: { kind: 'clip', key: 'k.mp4' },
      presenter: { imageUrl: input.imageUrl, avatarId: '', name: 'Clara', bytes: 7, generatedAt: at(9) },
    })
    expect(after).toEqual([segment, edited[1], edited[2]])
  })

  it.each([
    ['moved', segmentOf('brl_1', 1, 5_000)],
    ['cut', segmentOf('brl_1', 0, 4_999)],
    ['lengthened', segmentOf('brl_1', 0, 5_001)],
  ])('is refused with a conflict when its b-roll was %s meanwhile', (_how, segment) => {
    expect(() => withPresenter([segment], plan, clip, at(9))).toThrow(expect.objectContaining({ code: 'conflict' }))
  })

  it('is refused as not found when its b-roll was deleted', () => {
    expect(() => withPresenter([], plan, clip, at(9))).toThrow(expect.objectContaining({ code: 'not-found' }))
  })

  it('needs a narration, a portrait, and a video at rest', () => {
    const codeOf = (fields: Partial<Video>, portrait: Partial<PresenterInput> = {}) =>
      refusalCodeOf(() => planPresenter({ ...video, ...fields }, bRolls, 'brl_1', { ...input, ...portrait }))
    expect(codeOf({})).toBeUndefined()
    expect(codeOf({ media: { ...video.media, audioKey: null } })).toBe('warning-source-not-ready')
    expect(codeOf({ durationSeconds: null })).toBe('warning-source-not-ready')
    expect(codeOf({ process: videoThatIs.generating().process })).toBe('job-in-progress')
    expect(codeOf({}, { imageUrl: null })).toBe('invalid-request')
  })

  it('has the portrait of the brief with its name and avatar, unless the request has its own', () => {
    const brief = {
      ...video.brief,
      presenter: { imageUrl: 'https://example.com/b.png', avatarId: 'av_1', name: 'Ben' },
    }
    const whoOf = (portrait: Partial<PresenterInput>, presenter: typeof brief.presenter | object = brief.presenter) => {
      const none = { imageUrl: null, avatarId: null, name: null }
      return planPresenter({ ...video, brief: { ...brief, presenter } }, bRolls, 'brl_1', { ...none, ...portrait }).who
    }
    expect(whoOf({})).toEqual(brief.presenter)
    expect(whoOf({ avatarId: 'av_2', name: 'Bo' })).toEqual({ ...brief.presenter, avatarId: 'av_2', name: 'Bo' })
    expect(whoOf({}, { imageUrl: 'u' })).toEqual({ imageUrl: 'u', avatarId: '', name: '' })
    expect(whoOf({ imageUrl: 'v' })).toEqual({ imageUrl: 'v', avatarId: '', name: '' })
    expect(whoOf({ imageUrl: 'v', avatarId: 'av_2', name: 'Bo' })).toEqual({
      imageUrl: 'v',
      avatarId: 'av_2',
      name: 'Bo',
    })
  })
})
