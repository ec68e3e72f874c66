/** Rules of a video: a message that arrives late, twice or from an outdated run changes nothing. */
import { describe, expect, it } from 'vitest'
import type { JobError } from '../../../lib/domain/core/failures.ts'
import { JobFailure, Superseded, toJobError } from '../../../lib/domain/core/failures.ts'
import { Refusal } from '../../../lib/domain/core/refusal.ts'
import { videoStatus } from '../../../lib/domain/core/states.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { completeProcess, completeRender } from '../../../lib/domain/videos/complete-job.ts'
import { createVideo } from '../../../lib/domain/videos/create-video.ts'
import {
  beginProcess,
  beginRender,
  failJob,
  nextSweepAt,
  openJobsOf,
  requestRender,
} from '../../../lib/domain/videos/job-transitions.ts'
import { isRenderStale } from '../../../lib/domain/videos/stale-render.ts'
import { refusalCodeOf } from '../../support/refusals.ts'
import {
  at,
  decidedVideo,
  generationResult,
  renderResult,
  videoInputWith,
  videoThatIs,
  workspaceOn,
} from '../support/videos.ts'

const starter = workspaceOn('starter')
const withRender = videoInputWith({ process: { transcribe: true, addBRolls: true, render: true } })
const failure: JobError = { code: 'script-failed', message: 'No.', blocked: false }
const renderQueued = () => decidedVideo(requestRender(starter, videoThatIs.generated(), 'run_2', at(3)))
const rendering = () => videoThatIs.rendering(renderQueued())
const rendered = () => decidedVideo(completeRender(rendering(), 'run_2', 0, renderResult, at(9)))

describe('a new video', () => {
  const decision = createVideo(starter, videoInputWith(), { videoId: 'vid_1', runId: 'run_1' }, at(0))

  it('is queued and has no render, publish or config', () => {
    expect(decision.changes).toEqual([{ record: 'video', before: undefined, after: decision.video }])
    expect(decision.video).toMatchObject({
      process: { status: 'QUEUED', progress: 0, startedAt: null, error: null, runId: 'run_1' },
      render: null,
      publish: null,
      config: {},
      version: 1,
      updatedAt: at(0),
    })
  })

  it('reserves its price, emits its creation and starts its generation, each once', () => {
    expect(decision.charges).toEqual([
      {
        kind: 'reserve',
        runId: 'run_1',
        credits: 10,
        unit: 'video',
        metered: true,
        generation: { limit: 100 },
      },
    ])
    expect(decision.events.map(({ type }) => type)).toEqual(['video.created'])
    expect(decision.starts).toEqual([{ pipeline: 'generate', videoId: 'vid_1', runId: 'run_1' }])
  })

  it('has a deadline of 30 minutes, and the sweeper finds it in the due index', () => {
    expect(decision.video.process!.deadlineAt).toBe(at(30 * 60))
    expect(decision.video.dueAt).toBe(at(60))
  })

  it('has the title of the client, or a working title', () => {
    expect(videoThatIs.queued()).toMatchObject({ title: 'An idea', titleIsWorking: true })
    expect(videoThatIs.queued(videoInputWith({ title: 'Mine' }))).toMatchObject({
      title: 'Mine',
      titleIsWorking: false,
    })
  })

  it('counts as the first generation of a new month', () => {
    const { charges, month, renewal } = createVideo(
      starter,
      videoInputWith(),
      { videoId: 'vid_1', runId: 'run_1' },
      '2026-12-01T00:00:00.000Z',
    )
    expect(charges[0]!.generation).toEqual({ limit: 100 })
    expect([month, renewal?.from]).toEqual(['2026-12', '2026-11'])
  })
})

describe('a generation', () => {
  it('is claimed once: a repeated wake-up changes nothing', () => {
    const claimed = videoThatIs.generating()
    expect(claimed.process).toMatchObject({ status: 'PROCESSING', startedAt: at(1) })
    expect(beginProcess(claimed, 'run_1', at(5))).toBeUndefined()
  })

  it('stores all its results on the record at its end', () => {
    const decision = completeProcess(starter, videoThatIs.generating(), 'run_1', generationResult, at(2))
    expect(decision.video).toMatchObject({
      title: generationResult.title,
      durationSeconds: 12.5,
      media: { audioKey: generationResult.audioKey, captionsKey: generationResult.captionsKey, renderKey: null },
      timelines: generationResult.timelines,
      process: { status: 'COMPLETED', progress: 100, statusText: null, error: null },
      render: null,
      dueAt: null,
      version: 3,
    })
    expect(decision.events.map(({ type }) => type)).toEqual(['video.generation_completed'])
    expect(decision.charges).toEqual([{ kind: 'capture', runId: 'run_1', credits: 10, unit: 'video', metered: true }])
    expect(decision.starts).toEqual([])
  })

  it("keeps the client's title", () => {
    expect(videoThatIs.generated(videoInputWith({ title: 'Mine' })).title).toBe('Mine')
  })

  it('chains the requested render, under a run id computed from its own', () => {
    const complete = () =>
      completeProcess(starter, videoThatIs.generating(withRender), 'run_1', generationResult, at(2))
    const { video, changes, starts, events } = complete()
    const { runId } = video.render!
    expect(video.render).toMatchObject({ status: 'QUEUED', progress: 0, attempt: 0, stale: false })
    expect(starts).toEqual([{ pipeline: 'render', videoId: 'vid_1', runId }])
    expect(events).toHaveLength(1)
    expect(changes).toMatchObject([{ before: { version: video.version - 1 } }])
    expect(complete().starts).toEqual(starts)
  })

  it('refunds the reserved credits when it fails', () => {
    const decision = failJob(videoThatIs.generating(), 'process', 'run_1', failure, at(2))
    expect(decision.video).toMatchObject({
      process: { status: 'FAILED', error: failure, statusText: null },
      dueAt: null,
    })
    expect(videoStatus(decision.video)).toBe('failed')
    expect(decision.charges).toEqual([{ kind: 'release', runId: 'run_1', credits: 10, unit: 'video', metered: true }])
    expect(decision.events).toMatchObject([{ type: 'video.generation_failed', facts: { error: failure } }])
    expect(decision.starts).toEqual([])
  })

  it('can fail before it is claimed', () => {
    expect(decidedVideo(failJob(videoThatIs.queued(), 'process', 'run_1', failure, at(2))).process!.status).toBe(
      'FAILED',
    )
  })
})

describe('a render', () => {
  it('is refused before the first generation', () => {
    const empty: Video = { ...videoThatIs.generated(), media: { ...videoThatIs.generated().media, audioKey: null } }
    expect(refusalCodeOf(() => requestRender(starter, empty, 'run_2', at(3)))).toBe('warning-source-not-ready')
    const failed = decidedVideo(failJob(videoThatIs.queued(), 'process', 'run_1', failure, at(2)))
    expect(refusalCodeOf(() => requestRender(starter, failed, 'run_2', at(3)))).toBe('warning-source-not-ready')
  })

  it('is refused while another one is queued or running', () => {
    expect(refusalCodeOf(() => requestRender(starter, renderQueued(), 'run_3', at(4)))).toBe('job-in-progress')
    expect(refusalCodeOf(() => requestRender(starter, rendering(), 'run_3', at(5)))).toBe('job-in-progress')
  })

  it.each([
    ['starter', 720],
    ['free', 180],
    ['self-hosted', 3600],
  ] as const)('has the time of the plan %s and five minutes', (planId, seconds) => {
    const { video } = requestRender(workspaceOn(planId), videoThatIs.generated(), 'run_2', at(3))
    expect(video.render!.deadlineAt).toBe(at(3 + seconds + 300))
  })

  it('is free and starts once', () => {
    const decision = requestRender(starter, videoThatIs.generated(), 'run_2', at(3))
    expect(decision.charges).toEqual([])
    expect(decision.starts).toEqual([{ pipeline: 'render', videoId: 'vid_1', runId: 'run_2' }])
  })

  it('is claimed once, with the manifest of the claimed version', () => {
    expect(rendering().render).toMatchObject({
      status: 'PROCESSING',
      manifestKey: 'wsp_1/manifests/m.json',
      inputVersion: 2,
    })
    expect(beginRender(rendering(), 'run_2', 'wsp_1/manifests/other.json', at(5))).toBeUndefined()
  })

  it('makes the video ready', () => {
    const decision = completeRender(rendering(), 'run_2', 0, renderResult, at(9))
    expect(decision.video).toMatchObject({
      media: {
        renderKey: renderResult.renderKey,
        thumbnailKey: renderResult.thumbnailKey,
        bytes: 1234,
        audioKey: generationResult.audioKey,
      },
      render: { status: 'COMPLETED', progress: 100, stale: false },
      dueAt: null,
    })
    expect(videoStatus(decision.video)).toBe('ready')
    expect(decision.events.map(({ type }) => type)).toEqual(['video.render_completed'])
  })

  it('is kept and flagged as stale when the video was edited meanwhile', () => {
    const edited = { ...rendering(), contentVersion: 3, shownVersion: 3 }
    const { render, media } = decidedVideo(completeRender(edited, 'run_2', 0, renderResult, at(9)))
    expect([render!.stale, media.renderKey]).toEqual([true, renderResult.renderKey])
  })

  it('emits its failure and keeps the previous render', () => {
    const again = decidedVideo(requestRender(starter, rendered(), 'run_3', at(10)))
    const decision = failJob(again, 'render', 'run_3', { ...failure, code: 'render-failed' }, at(11))
    expect(decision.video).toMatchObject({ render: { status: 'FAILED' }, media: { renderKey: renderResult.renderKey } })
    const { contentVersion } = decision.video
    expect(isRenderStale(decision.video)).toBe(false)
    expect(isRenderStale({ ...decision.video, shownVersion: contentVersion + 1 })).toBe(true)
    expect(decision.events.map(({ type }) => type)).toEqual(['video.render_failed'])
    expect(decision.charges).toEqual([])
  })
})

describe('a message of a run that is not open changes nothing', () => {
  const ended = [
    videoThatIs.generated(),
    decidedVideo(failJob(videoThatIs.queued(), 'process', 'run_1', failure, at(2))),
  ]
  const processMessages: [string, (video: Video, runId: string) => unknown][] = [
    ['begin', (video, runId) => beginProcess(video, runId, at(20))],
    ['complete', (video, runId) => completeProcess(starter, video, runId, generationResult, at(20))],
    ['fail', (video, runId) => failJob(video, 'process', runId, failure, at(20))],
  ]
  const renderMessages: [string, (video: Video, runId: string) => unknown][] = [
    ['begin', (video, runId) => beginRender(video, runId, 'm', at(20))],
    ['complete', (video, runId) => completeRender(video, runId, 0, renderResult, at(20))],
    ['fail', (video, runId) => failJob(video, 'render', runId, failure, at(20))],
  ]

  it.each(processMessages)('%s of an outdated or an ended generation', (_name, send) => {
    expect(() => send(videoThatIs.generating(), 'run_0')).toThrow(Superseded)
    for (const video of ended) expect(() => send(video, 'run_1')).toThrow(Superseded)
  })

  it.each(renderMessages)('%s of an outdated, an ended or a missing render', (_name, send) => {
    expect(() => send(rendering(), 'run_0')).toThrow(Superseded)
    expect(() => send(rendered(), 'run_2')).toThrow(Superseded)
    expect(() => send(videoThatIs.generated(), 'run_2')).toThrow(Superseded)
  })

  it('the result of a worker whose lease was taken over', () => {
    const taken = rendering()
    taken.render = { ...taken.render!, attempt: 2 }
    expect(() => completeRender(taken, 'run_2', 1, renderResult, at(20))).toThrow(Superseded)
  })
})

describe('events', () => {
  it('have ids computed from their cause: the same for a repeat, different for another run', () => {
    const eventIds = (runId: string) => {
      const video = { ...videoThatIs.generating(), process: { ...videoThatIs.generating().process!, runId } }
      return completeProcess(starter, video, runId, generationResult, at(2)).events[0]!.id
    }
    expect(eventIds('run_1')).toBe(eventIds('run_1'))
    expect(eventIds('run_1')).not.toBe(eventIds('run_9'))
  })

  it('show the video as it was after the change', () => {
    const { events } = completeProcess(starter, videoThatIs.generating(withRender), 'run_1', generationResult, at(2))
    const video = { process: { status: 'COMPLETED' }, render: { status: 'QUEUED' }, title: generationResult.title }
    expect(events[0]!.facts).toMatchObject({ video })
  })
})

describe('the sweeper', () => {
  it('finds the one job that is open', () => {
    expect(openJobsOf(videoThatIs.queued()).map(({ kind }) => kind)).toEqual(['process'])
    expect(openJobsOf(renderQueued()).map(({ kind }) => kind)).toEqual(['render'])
    expect(openJobsOf(rendered())).toEqual([])
  })

  it('checks again in a minute, and never later than the deadline', () => {
    expect(nextSweepAt(at(1000), at(0))).toBe(at(60))
    expect(nextSweepAt(at(30), at(0))).toBe(at(30))
  })
})

describe('the error of a job', () => {
  it('is blocked with its action when a rule refused', () => {
    const refusal = new Refusal('warning-plan-duration', 'Too long.', { action: 'upgrade' })
    expect(toJobError(refusal, 'voice-failed')).toEqual({
      code: 'warning-plan-duration',
      message: 'Too long.',
      blocked: true,
      action: 'upgrade',
    })
  })

  it('contains the message of a step, and no details of a fault', () => {
    expect(toJobError(new JobFailure('voice-failed', 'No voice.'), 'script-failed')).toMatchObject({
      code: 'voice-failed',
      message: 'No voice.',
      blocked: false,
    })
    expect(toJobError(new JobFailure('voice-failed', '🎤'.repeat(100_000)), 'script-failed').message).toMatch(
      /^🎤{249}…$/u,
    )
    const fault = toJobError(new Error('table reelsmith at 10.0.0.1'), 'script-failed')
    expect(fault).toEqual({ code: 'script-failed', message: 'The script could not be written.', blocked: false })
  })
})
