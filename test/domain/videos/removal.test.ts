/** DELETE of videos: what is paid for, what is purged, and which automation makes another clip. */
import { describe, expect, it } from 'vitest'
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

describe('a removed generation', () => {
  const running = decidedVideo(beginProcess(videoThatIs.queued(), 'run_1', at(1))).process!

  it.each([
    [0, 0],
    [14, 0],
    [15, 2],
    [39, 2],
    [40, 5],
    [99, 5],
  ])('at %i %% costs %i of 10 credits, and the rest is released', (progress, bought) => {
    const charges = chargesOfRemoved({ ...running, progress }).map(({ kind, credits }) => [kind, credits])
    expect(charges).toEqual(
      bought > 0
        ? [
            ['capture', bought],
            ['release', 10 - bought],
          ]
        : [['release', 10]],
    )
  })

  it('costs whole credits, rounded up', () => {
    const charge = { ...running.charge!, credits: 11 }
    const charges = chargesOfRemoved({ ...running, progress: 20, charge }).map(({ kind, credits }) => [kind, credits])
    expect(charges).toEqual([
      ['capture', 3],
      ['release', 8],
    ])
  })

  it('releases nothing where all is paid for, and a script that is not done costs nothing', () => {
    const one = { ...running.charge!, credits: 1 }
    expect(chargesOfRemoved({ ...running, progress: 50, charge: one })).toMatchObject([{ kind: 'capture', credits: 1 }])
    expect(chargesOfRemoved({ ...running, progress: 99, work: 'script' })).toMatchObject([
      { kind: 'release', credits: 10 },
    ])
    expect(chargesOfRemoved({ ...running, charge: null })).toEqual([])
    expect(chargesOfRemoved({ ...running, charge: { ...one, credits: 0 } })).toMatchObject([
      { kind: 'release', credits: 0 },
    ])
  })
})
