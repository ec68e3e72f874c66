/** POST /process and POST /script: another paid run; the content that the video shows stays. */
import { describe, expect, it } from 'vitest'
import { Superseded } from '../../../lib/domain/core/failures.ts'
import { completeScript, requestScript } from '../../../lib/domain/generation/script-job.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { completeRender } from '../../../lib/domain/videos/complete-job.ts'
import { beginProcess, failJob, requestRender } from '../../../lib/domain/videos/job-transitions.ts'
import { requestProcess } from '../../../lib/domain/videos/requeue.ts'
import { plans } from '../../../lib/domain/workspaces/plan.ts'
import type { Workspace } from '../../../lib/domain/workspaces/workspace.ts'
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
const wishes = { transcribe: false, addBRolls: true, render: true }
const generated = videoThatIs.generated()
const renderQueued = decidedVideo(requestRender(starter, generated, 'run_2', at(3)))
const rendered = decidedVideo(completeRender(videoThatIs.rendering(renderQueued), 'run_2', 0, renderResult, at(9)))
const error = { code: 'timeout' as const, message: 'Too late.', blocked: false }
const failed = decidedVideo(failJob(videoThatIs.generating(), 'process', 'run_1', error, at(9)))
const uploaded: Video = { ...generated, type: 'video' }

const asks = {
  process: (video: Video, workspace: Workspace = starter) => requestProcess(workspace, video, wishes, 'run_9', at(20)),
  script: (video: Video, workspace: Workspace = starter) => requestScript(workspace, video, null, 'run_9', at(20)),
}

describe.each(Object.entries(asks))('a requeued %s', (_name, ask) => {
  it('is a new run with its own deadline and its own start', () => {
    const { video, starts } = ask(rendered)
    expect(video.process).toMatchObject({ runId: 'run_9', status: 'QUEUED', progress: 0, startedAt: null })
    expect(video).toMatchObject({ process: { deadlineAt: at(20 + 30 * 60) }, dueAt: at(80), updatedAt: at(20) })
    expect(starts).toEqual([{ pipeline: 'generate', videoId: 'vid_1', runId: 'run_9' }])
  })

  it('clears the error, and leaves what the video shows and its render document untouched', () => {
    expect(ask(failed).video.process!.error).toBeNull()
    const { media, timelines, render, contentVersion, config } = rendered
    expect(ask(rendered).video).toMatchObject({ media, timelines, render, contentVersion, config })
  })

  it('counts towards the generations of the month', () => {
    expect(ask(generated).charges).toEqual([
      { kind: 'reserve', runId: 'run_9', credits: 10, unit: 'video', metered: true, generation: { limit: 100 } },
    ])
  })

  it('is refused while a job of either kind is queued or running', () => {
    const open = [
      videoThatIs.queued(),
      videoThatIs.generating(),
      renderQueued,
      videoThatIs.rendering(renderQueued),
      ask(generated).video,
    ]
    for (const video of open) expect(refusalCodeOf(() => ask(video))).toBe('job-in-progress')
    for (const video of [generated, rendered, failed]) expect(refusalCodeOf(() => ask(video))).toBeUndefined()
  })

  it('is refused when an edit removed the only idea', () => {
    const brief = briefWith({ prompt: ' ', text: null })
    expect(refusalCodeOf(() => ask({ ...generated, brief }))).toBe('warning-invalid-input')
  })

  it('is refused without credits, above the monthly generations and with a full storage', () => {
    const limit = plans.starter.generationsPerMonth!
    const room = plans.starter.storageBytesMax!
    const month = '2026-11'
    const cases: [Partial<Workspace>, string | undefined][] = [
      [{ creditsBalance: 9 }, 'warning-no-credits'],
      [{ creditsBalance: 10 }, undefined],
      [{ month, generationsUsed: limit - 1 }, undefined],
      [{ month, generationsUsed: limit }, 'warning-plan-generations'],
      [{ storageUsedBytes: room - 1 }, undefined],
      [{ storageUsedBytes: room }, 'warning-plan-storage'],
    ]
    for (const [fields, code] of cases)
      expect(refusalCodeOf(() => ask(generated, workspaceOn('starter', fields)))).toBe(code)
  })
})

describe('a requeued generation', () => {
  it('uses the options of the request; an uploaded video is transcribed again', () => {
    expect(asks.process(generated).video.process).toMatchObject({ work: 'generate', wishes })
    expect(asks.process({ ...generated, type: 'ai' }).video.process).toMatchObject({ work: 'generate' })
    expect(asks.process(uploaded).video.process).toMatchObject({ work: 'ingest' })
  })

  it("costs what the current brief requires, and is refused above the plan's maximum length", () => {
    const longer = (videoDuration: 'short' | 'medium') => ({ ...generated, brief: briefWith({ videoDuration }) })
    expect(asks.process(longer('short')).charges[0]).toMatchObject({ credits: 30 })
    expect(refusalCodeOf(() => asks.process(longer('medium')))).toBe('warning-plan-duration')
  })

  it('needs no idea when a file was uploaded', () => {
    const brief = briefWith({ prompt: null, text: null })
    expect(refusalCodeOf(() => asks.process({ ...uploaded, brief }))).toBeUndefined()
  })
})

describe('a script-only run', () => {
  it('stores a given prompt as scriptPrompt, and keeps the stored one otherwise', () => {
    const briefed = requestScript(starter, generated, 'Be bold', 'run_9', at(20)).video
    expect(briefed).toMatchObject({ brief: { scriptPrompt: 'Be bold' }, process: { work: 'script' } })
    const ended = { ...generated, brief: briefed.brief }
    expect(requestScript(starter, ended, null, 'run_9', at(20)).video.brief.scriptPrompt).toBe('Be bold')
  })

  it('keeps the options of the last generation, but does not render', () => {
    const silent = videoThatIs.generated(
      videoInputWith({ process: { transcribe: false, addBRolls: false, render: false } }),
    )
    const asked: Video = { ...silent, process: { ...silent.process!, wishes: { ...wishes, addBRolls: false } } }
    expect(asks.script(asked).video.process!.wishes).toEqual({ transcribe: false, addBRolls: false, render: false })
    const first = asks.script({ ...silent, process: null }).video
    expect(first.process!.wishes).toEqual({ transcribe: true, addBRolls: true, render: false })
  })

  it('is refused for an uploaded video', () => {
    expect(refusalCodeOf(() => asks.script(uploaded))).toBe('warning-invalid-input')
  })

  const written = { key: 'ws_1/vid_1/scripts/new.json', title: 'New title', text: 'A new text.' }
  const writing = (video: Video) => decidedVideo(beginProcess(asks.script(video).video, 'run_9', at(21)))

  it('is stored in the brief and charged, and emits no event, since there is nothing new to render', () => {
    const { video, charges, events, starts } = completeScript(writing(rendered), 'run_9', written, at(22))
    expect(video).toMatchObject({ brief: { text: 'A new text.' }, process: { status: 'COMPLETED', progress: 100 } })
    expect(video.scriptKey).toBe(written.key)
    expect(video).toMatchObject({ process: { statusText: null }, dueAt: null, contentVersion: rendered.contentVersion })
    expect([video.media, video.timelines, video.render]).toEqual([rendered.media, rendered.timelines, rendered.render])
    expect(charges).toEqual([{ kind: 'capture', runId: 'run_9', credits: 10, unit: 'video', metered: true }])
    expect([events, starts]).toEqual([[], []])
  })

  it('is the input of the next generation, whatever the input mode was', () => {
    const modeAfter = (inputMode: 'auto' | 'idea' | 'script') =>
      completeScript(writing({ ...generated, brief: briefWith({ inputMode }) }), 'run_9', written, at(22)).video.brief
        .inputMode
    expect([modeAfter('auto'), modeAfter('idea'), modeAfter('script')]).toEqual(['auto', 'auto', 'script'])
  })

  it('renames the video unless the client has set its title', () => {
    expect(completeScript(writing(generated), 'run_9', written, at(22)).video.title).toBe('New title')
    const named = { ...generated, title: 'Mine', titleIsWorking: false }
    expect(completeScript(writing(named), 'run_9', written, at(22)).video.title).toBe('Mine')
  })

  it('that fails is a failed generation: it emits the event and refunds its credits', () => {
    const { events, charges } = failJob(writing(generated), 'process', 'run_9', error, at(22))
    expect(events.map(({ type }) => type)).toEqual(['video.generation_failed'])
    expect(charges).toMatchObject([{ kind: 'release', runId: 'run_9' }])
  })

  it('of an outdated run changes nothing', () => {
    expect(() => completeScript(writing(generated), 'run_8', written, at(22))).toThrow(Superseded)
  })
})
