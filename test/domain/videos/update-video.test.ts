/** The change of a video record: its versions, when the sweeper looks at it again, and what it wakes. */
import { describe, expect, it } from 'vitest'
import type { PublishJob } from '../../../lib/domain/records/jobs.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import {
  clearRender,
  updateVideo,
  updateVideoContent,
  updateVideoTexts,
  wakeUpsAfterJob,
} from '../../../lib/domain/videos/update-video.ts'
import { renderedVideo, requestPublishOf } from '../support/publications.ts'
import { at, generationResult, renderResult, videoThatIs } from '../support/videos.ts'

const { generated, generating, queued } = videoThatIs
const slotAt = (time: string | null) =>
  ({ nextSlot: time === null ? null : { at: time, date: '2026-11-02', index: 0 } }) as NonNullable<Video['automation']>

describe('the versions of a video', () => {
  const before: Video = { ...renderedVideo, contentVersion: 7, shownVersion: 5, clearedVersion: 2 }
  const { contentVersion: _, shownVersion: __, ...unversioned } = before

  it('count an edit of the content as shown, and one of its texts as not shown', () => {
    expect(updateVideoContent(before, before, at(50)).video).toMatchObject({ contentVersion: 8, shownVersion: 8 })
    expect(updateVideoTexts(before, before, at(50)).video).toMatchObject({ contentVersion: 8, shownVersion: 5 })
    const older = { ...unversioned, contentVersion: 7 }
    expect(updateVideoTexts(older, older, at(50)).video).toMatchObject({ contentVersion: 8, shownVersion: 7 })
  })

  it('count each decision once', () => {
    const { video, changes } = updateVideo(before, { ...before, title: 'Named' }, at(50))
    expect(video).toEqual({ ...before, title: 'Named', version: before.version + 1 })
    expect(changes).toEqual([{ record: 'video', before, after: video }])
  })

  it('reject every render of a version before an edit that clears the render', () => {
    const film = { width: 1080, height: 1920, durationMs: 12_000 }
    const { video } = clearRender(before, { ...before, media: { ...before.media, film } }, at(50))
    expect(video).toMatchObject({
      contentVersion: 8,
      clearedVersion: 8,
      updatedAt: at(50),
      media: { renderKey: null, bytes: null, audioKey: generationResult.audioKey },
    })
    expect(video.media).not.toHaveProperty('film')
    expect(video.media.thumbnailKey).toBe(renderResult.thumbnailKey)
  })
})

describe('the sweeper looks at a video', () => {
  const dueAt = (before: Video, after: Video) => updateVideo(before, after, at(100)).video.dueAt
  const due: Video = { ...generated(), dueAt: at(77) }
  const open = generating().process
  const publish = requestPublishOf().video.publish

  it('at the same time after an edit that changes no job', () => {
    expect(dueAt(due, { ...due, title: 'Named' })).toBe(at(77))
    expect(dueAt({ ...due, automation: slotAt(at(90)) }, { ...due, automation: slotAt(at(90)) })).toBe(at(90))
  })

  it.each<[string, Partial<Video>]>([
    ['process', { process: open }],
    ['render', { render: { ...renderedVideo.render!, status: 'QUEUED' } }],
    ['publish', { publish }],
  ])('a minute after its %s was queued', (_kind, fields) => {
    expect(dueAt(due, { ...due, ...fields })).toBe(at(160))
  })

  it('a minute after one of its jobs ended, while another is open', () => {
    expect(dueAt({ ...due, publish }, { ...due, publish, process: { ...due.process! } })).toBe(at(160))
  })

  it.each([
    [at(159), at(159)],
    [at(161), at(160)],
    [null, at(160)],
  ])('at its next slot %s, and not later than a minute while a job is open', (slot, expected) => {
    const automation = slotAt(slot)
    expect(dueAt({ ...due, automation }, { ...due, automation, process: open })).toBe(expected)
  })

  it('at its next slot when nothing is open, else never', () => {
    expect(dueAt(due, { ...due, automation: slotAt(at(9_000)) })).toBe(at(9_000))
    expect(dueAt({ ...due, automation: slotAt(at(9_000)) }, { ...due, automation: slotAt(null) })).toBeNull()
    expect(dueAt(generating(), { ...generating(), process: generated().process })).toBeNull()
  })
})

describe('the timer of a slot', () => {
  const timersOf = (before: string | null | undefined, after: string | null | undefined) => {
    const withSlot = (slot: string | null | undefined): Video =>
      slot === undefined ? generated() : { ...generated(), automation: slotAt(slot) }
    return updateVideo(withSlot(before), withSlot(after), at(50)).slotTimers
  }

  it('is set for a newly planned slot, and names the version that planned it', () => {
    const timer = { automationId: 'vid_1', at: at(900), cause: `vid_1#${generated().version + 1}` }
    for (const before of [undefined, null, at(800)]) expect(timersOf(before, at(900))).toEqual([timer])
  })

  it('is not set again for the same slot, nor without one', () => {
    expect(timersOf(at(900), at(900))).toBeUndefined()
    expect(timersOf(at(900), null)).toBeUndefined()
    expect(timersOf(undefined, undefined)).toBeUndefined()
  })
})

describe('an automation wakes', () => {
  const blueprint: Video = { ...generating(), isAutomation: true }
  const ended = (before: Video) => ({ ...before, process: generated().process })
  const wakes = (before: Video, after: Video) => updateVideo(before, after, at(50)).automationWakeUps

  it('when a job of its blueprint ends, once', () => {
    const cause = `vid_1#${blueprint.version + 1}`
    expect(wakes(blueprint, ended(blueprint))).toEqual([{ automationId: 'vid_1', clipId: null, cause }])
    expect(wakes(ended(blueprint), ended(blueprint))).toBeUndefined()
  })

  it('when a run is replaced by another that is open, not yet', () => {
    expect(wakes(blueprint, { ...blueprint, process: { ...queued().process!, runId: 'run_2' } })).toBeUndefined()
    expect(wakes(blueprint, { ...blueprint, title: 'Named' })).toBeUndefined()
  })

  const clip: Video = { ...renderedVideo, parentVideoId: 'vid_0' }
  const run = { isManual: false, isOver: false }
  const unrendered = { ...clip.media, renderKey: null }
  const publish = requestPublishOf().video.publish as PublishJob
  it.each<[string, Partial<Video>, string | null | undefined]>([
    ['that it made', { run }, 'vid_1'],
    ['that it made and that has no render', { run, media: unrendered }, 'vid_1'],
    ['that it may adopt', {}, null],
    ['without a render, which it cannot adopt', { media: unrendered }, undefined],
    ['that was published already', { publish }, undefined],
    ['of nothing', { run, parentVideoId: null }, undefined],
  ])('for a clip %s', (_name, fields, clipId) => {
    const cause = `vid_1#${clip.version}`
    const expected = clipId === undefined ? [] : [{ automationId: 'vid_0', clipId, cause }]
    expect(wakeUpsAfterJob({ ...clip, ...fields })).toEqual(expected)
  })

  it('for a clip whose own automation it is, as that one', () => {
    expect(wakeUpsAfterJob({ ...clip, isAutomation: true })).toMatchObject([{ automationId: 'vid_1', clipId: null }])
  })
})
