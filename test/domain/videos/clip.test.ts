/** POST /clips: a clip reuses its source's objects and is free; a variation is a generation with its own price. */
import { describe, expect, it } from 'vitest'
import type { Video } from '../../../lib/domain/records/video.ts'
import { completeClip, contentOwner, createClip } from '../../../lib/domain/videos/clip.ts'
import { completeRender } from '../../../lib/domain/videos/complete-job.ts'
import { beginProcess, failJob, requestRender } from '../../../lib/domain/videos/job-transitions.ts'
import { plans } from '../../../lib/domain/workspaces/plan.ts'
import { refusalCodeOf } from '../../support/refusals.ts'
import {
  at,
  briefWith,
  decidedVideo,
  renderResult,
  videoInputWith,
  videoThatIs,
  workspaceOn,
} from '../support/videos.ts'

const starter = workspaceOn('starter')
const ids = { videoId: 'vid_2', runId: 'run_9' }
const clipOf = (source: Video, { regenerate = false, render = false } = {}, workspace = starter) =>
  createClip(workspace, source, { regenerate, render }, ids, at(20))

const text = 'Calm mornings begin in the evening. Lay out your clothes! Then sleep. And sleep early.'
const source: Video = {
  ...videoThatIs.generated(videoInputWith({ type: 'faceless', subType: 'presentation', mood: 'calm' })),
  presentationMood: 'warm',
  config: { captionsFontSize: 80 },
  plannedBRolls: 'wsp_1/vid_1/timelines/b.json',
  media: {
    ...videoThatIs.generated().media,
    audioKey: 'wsp_1/vid_1/narrations/a.wav',
    sourceKey: 's',
    thumbnailKey: 't',
  },
}
const renderQueued = decidedVideo(requestRender(starter, source, 'run_2', at(3)))
const rendered = decidedVideo(completeRender(videoThatIs.rendering(renderQueued), 'run_2', 0, renderResult, at(9)))
const error = { code: 'timeout' as const, message: 'Too late.', blocked: false }

describe('every clip', () => {
  it.each([true, false])('has the source as its parent and starts without a render (regenerate: %s)', (regenerate) => {
    const { video, changes, events, starts } = clipOf(rendered, { regenerate })
    expect(video).toMatchObject({
      id: 'vid_2',
      parentVideoId: 'vid_1',
      isAutomation: false,
      process: { status: 'QUEUED', progress: 0, runId: 'run_9' },
      render: null,
      publish: null,
      media: { renderKey: null, bytes: null },
      createdAt: at(20),
      version: 1,
    })
    expect(changes).toEqual([{ record: 'video', before: undefined, after: video }])
    expect(events).toMatchObject([{ type: 'video.created', facts: { video: { id: 'vid_2', parentVideoId: 'vid_1' } } }])
    expect(starts).toEqual([{ pipeline: 'generate', videoId: 'vid_2', runId: 'run_9' }])
  })

  it.each([true, false])('inherits type, variant, moods, title and config (regenerate: %s)', (regenerate) => {
    const { type, subType, mood, presentationMood, config, title } = source
    expect(clipOf(source, { regenerate }).video).toMatchObject({ type, subType, mood, presentationMood, config, title })
  })

  it('of a clip has that clip as its parent', () => {
    const clip = clipOf(source).video
    expect(createClip(starter, clip, { regenerate: false, render: false }, ids, at(30)).video.parentVideoId).toBe(
      'vid_2',
    )
  })

  it('can be made in any job state of its source', () => {
    const failed = decidedVideo(failJob(renderQueued, 'render', 'run_2', error, at(9)))
    for (const busy of [renderQueued, failed]) {
      expect(refusalCodeOf(() => clipOf(busy))).toBeUndefined()
      expect(refusalCodeOf(() => clipOf(busy, { regenerate: true }))).toBeUndefined()
    }
  })

  it.each([true, false])('renders only on request (regenerate: %s)', (regenerate) => {
    for (const render of [true, false])
      expect(clipOf(source, { regenerate, render }).video.process!.wishes).toMatchObject({ render })
  })
})

describe('a clip that reuses its source', () => {
  it('owes the credits of its source', () => {
    const { video } = clipOf({ ...source, credits: ['Text: adapted from “Quokka”'] })
    const running = decidedVideo(beginProcess(video, ids.runId, at(21)))
    expect(completeClip(starter, running, ids.runId, at(22)).video.credits).toEqual(['Text: adapted from “Quokka”'])
  })

  it('references the objects of the source and is free', () => {
    const { video, charges, month } = clipOf(rendered)
    expect(video).toMatchObject({
      durationSeconds: 12.5,
      timelines: rendered.timelines,
      plannedBRolls: rendered.plannedBRolls,
      media: { ...rendered.media, renderKey: null, bytes: null },
      brief: rendered.brief,
      process: { work: 'clip', charge: null },
    })
    expect([charges, month]).toEqual([[], undefined])
    expect(contentOwner(starter, video)).toEqual({ workspace: starter, videoId: 'vid_1' })
  })

  it('can be made with an empty balance and a full storage', () => {
    const poor = workspaceOn('free', { creditsBalance: 0, storageUsedBytes: plans.free.storageBytesMax! })
    expect(refusalCodeOf(() => clipOf(source, {}, poor))).toBeUndefined()
  })

  it('is refused before the source was generated', () => {
    for (const video of [videoThatIs.queued(), videoThatIs.generating()])
      expect(refusalCodeOf(() => clipOf(video))).toBe('warning-source-not-ready')
  })

  it('can be made of an uploaded video', () => {
    expect(clipOf({ ...source, type: 'video' }).video).toMatchObject({ type: 'video', media: { sourceKey: 's' } })
  })

  it('completes with the existing objects, emits its event, and chains the render', () => {
    const begun = (render: boolean) => decidedVideo(beginProcess(clipOf(source, { render }).video, 'run_9', at(21)))
    const { video, events, charges, starts } = completeClip(starter, begun(false), 'run_9', at(22))
    expect(video).toMatchObject({ process: { status: 'COMPLETED', progress: 100 }, render: null, title: source.title })
    expect([video.media, video.timelines]).toEqual([begun(false).media, source.timelines])
    expect([events.map(({ type }) => type), charges, starts]).toEqual([['video.generation_completed'], [], []])
    expect(completeClip(starter, begun(true), 'run_9', at(22)).video.render).toMatchObject({ status: 'QUEUED' })
  })
})

describe('a variation', () => {
  const variation = (fields: Parameters<typeof briefWith>[0], workspace = starter) =>
    clipOf({ ...source, brief: briefWith(fields) }, { regenerate: true }, workspace)

  it('inherits nothing that was made for its source', () => {
    const { video } = variation({})
    expect(video).toMatchObject({ durationSeconds: null, timelines: {}, media: { audioKey: null, thumbnailKey: null } })
    expect(video.plannedBRolls).toBeUndefined()
    expect(contentOwner(starter, video).videoId).toBe('vid_2')
  })

  it('is written from the idea, or from the beginning of the text, with the briefing of its source', () => {
    const fields = { scriptPrompt: 'Be bold', inputMode: 'script' as const, text }
    expect(variation({ ...fields, prompt: 'Mornings' }).video.brief).toEqual(
      briefWith({ scriptPrompt: 'Be bold', inputMode: 'idea', text: null, prompt: 'Mornings' }),
    )
    expect(variation({ ...fields, prompt: null }).video.brief.prompt).toBe(
      'Calm mornings begin in the evening. Lay out your clothes!',
    )
  })

  it('has a script of its own, and so does every clip that reuses it', () => {
    const { video } = variation({})
    expect(video).toMatchObject({ variation: 'vid_2', process: { work: 'generate' } })
    const reused = clipOf({ ...source, variation: 'vid_2' }).video
    expect(reused.variation).toBe('vid_2')
    expect(clipOf(source).video.variation).toBeUndefined()
  })

  it('costs and counts as a generation, and is subject to the storage limit', () => {
    expect(variation({ videoDuration: 'short' }).charges).toEqual([
      { kind: 'reserve', runId: 'run_9', credits: 30, unit: 'video', metered: true, generation: { limit: 100 } },
    ])
    expect(refusalCodeOf(() => variation({}, workspaceOn('starter', { creditsBalance: 9 })))).toBe('warning-no-credits')
    expect(refusalCodeOf(() => variation({}, workspaceOn('starter', { creditsBalance: 10 })))).toBeUndefined()
    expect(refusalCodeOf(() => variation({ videoDuration: 'medium' }))).toBe('warning-plan-duration')
  })

  it('can be made of a source that was never generated, but not of an uploaded one or one without an idea', () => {
    expect(refusalCodeOf(() => clipOf(videoThatIs.queued(), { regenerate: true }))).toBeUndefined()
    expect(refusalCodeOf(() => clipOf({ ...source, type: 'video' }, { regenerate: true }))).toBe(
      'warning-invalid-input',
    )
    expect(refusalCodeOf(() => variation({ prompt: null }))).toBe('warning-invalid-input')
  })
})
