/** DELETE of videos: what is paid for, what is purged, and which automation makes another clip. */
import { describe, expect, it } from 'vitest'
import type { PaidStep, ProcessJob } from '../../../lib/domain/records/jobs.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { beginProcess, chargesOfRemoved, requestRender } from '../../../lib/domain/videos/job-transitions.ts'
import { removeVideos } from '../../../lib/domain/videos/removal.ts'
import { renderedVideo, requestPublishOf } from '../support/publications.ts'
import { at, decidedVideo, videoThatIs, workspaceOn } from '../support/videos.ts'

const holdings = { storedBytes: 900, clips: 2 }
const remove = (video: Video, parentIsGone = false) =>
  removeVideos('wsp_1', [{ video, holdings }], parentIsGone, at(50))

describe('the removal of a video', () => {
  it.each([true, false])('removes the record with its usage (parent is gone: %s)', (parentIsGone) => {
    expect(remove(renderedVideo, parentIsGone).changes).toEqual([
      { record: 'video', before: renderedVideo, after: undefined, holdings, parentIsGone },
    ])
  })

  it('purges its objects, its clips and its open runs', () => {
    const rendering = decidedVideo(requestRender(workspaceOn('starter'), renderedVideo, 'run_3', at(10)))
    const { publish } = requestPublishOf().video
    const { process } = videoThatIs.queued()
    const purge = (video: Video) => remove(video).purges
    expect(purge({ ...rendering, publish, process })).toEqual([
      {
        videoId: 'vid_1',
        clips: 2,
        runs: [
          { pipeline: 'generate', runId: 'run_1' },
          { pipeline: 'render', runId: 'run_3' },
          { pipeline: 'publish', runId: 'run_5' },
        ],
      },
    ])
    expect(purge(renderedVideo)).toEqual([{ videoId: 'vid_1', clips: 2, runs: [] }])
  })

  it('releases the credits of an open generation, and of nothing else', () => {
    expect(remove(videoThatIs.queued()).charges).toMatchObject([{ kind: 'release', runId: 'run_1', credits: 10 }])
    expect(remove(renderedVideo).charges).toEqual([])
    const rendering = decidedVideo(requestRender(workspaceOn('starter'), renderedVideo, 'run_3', at(10)))
    expect(remove(rendering).charges).toEqual([])
  })

  const clip: Video = { ...renderedVideo, parentVideoId: 'vid_0', run: { isManual: false, isOver: false } }
  it('wakes the automation that waits for the clip', () => {
    expect(remove(clip).automationWakeUps).toEqual([{ automationId: 'vid_0', clipId: null, cause: 'vid_1#removed' }])
  })

  it.each<[string, Partial<Video>, boolean]>([
    ['is removed with its source', {}, true],
    ['is over', { run: { isManual: false, isOver: true } }, false],
    ['was made by the client', { run: undefined as never }, false],
    ['has no source', { parentVideoId: null }, false],
  ])('wakes no automation where the clip %s', (_name, fields, parentIsGone) => {
    expect(remove({ ...clip, ...fields }, parentIsGone).automationWakeUps).toEqual([])
  })
})

describe('a removed run', () => {
  const running = decidedVideo(beginProcess(videoThatIs.queued(), 'run_1', at(1))).process!
  const charge = running.charge!
  const settled = (fields: Partial<ProcessJob>) =>
    chargesOfRemoved({ ...running, ...fields }).map(({ kind, credits }) => [kind, credits])

  it.each<[string, PaidStep[], number]>([
    ['nothing', [], 0],
    ['the script', ['script'], 2],
    ['the voice, of a text of the client', ['voice'], 3],
    ['the script and the voice', ['script', 'voice'], 5],
  ])('that is a generation and has bought %s captures its part, and releases the rest', (_name, paidSteps, bought) => {
    const capture = bought > 0 ? [['capture', bought]] : []
    expect(settled({ paidSteps })).toEqual([...capture, ['release', 10 - bought]])
  })

  it('captures what was bought, however far it is: a text of the client takes the step of the script for nothing', () => {
    expect(settled({ progress: 99 })).toEqual([['release', 10]])
    expect(settled({ progress: 5, paidSteps: ['script'] })).toEqual([
      ['capture', 2],
      ['release', 8],
    ])
  })

  it('that writes a script only captures all once it is written', () => {
    expect(settled({ work: 'script', paidSteps: ['script'] })).toEqual([['capture', 10]])
    expect(settled({ work: 'script', progress: 99 })).toEqual([['release', 10]])
  })

  it('captures whole credits, rounded up', () => {
    const of = (credits: number) => settled({ paidSteps: ['script'], charge: { ...charge, credits } })
    expect(of(11)).toEqual([
      ['capture', 3],
      ['release', 8],
    ])
    expect(of(35)).toEqual([
      ['capture', 7],
      ['release', 28],
    ])
    expect(of(1)).toEqual([['capture', 1]])
  })

  it('without a price captures nothing', () => {
    expect(settled({ paidSteps: ['script'], charge: null })).toEqual([])
    expect(settled({ paidSteps: ['script'], charge: { ...charge, credits: 0 } })).toEqual([['release', 0]])
  })
})
