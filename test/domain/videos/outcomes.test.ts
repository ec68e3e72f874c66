/** What the end of a generation, of a render and of a conversion leaves on the video, and what is refused before. */
import { describe, expect, it } from 'vitest'
import type { RenderJob } from '../../../lib/domain/records/jobs.ts'
import { editorDefaults } from '../../../lib/domain/records/theme.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { completeClip, createClip } from '../../../lib/domain/videos/clip.ts'
import { completeProcess, completeRender, type GenerationResult } from '../../../lib/domain/videos/complete-job.ts'
import { completeConversion, renderToConvert, requestConversion } from '../../../lib/domain/videos/conversion.ts'
import { createVideo } from '../../../lib/domain/videos/create-video.ts'
import { stitchForDownload } from '../../../lib/domain/videos/download.ts'
import { resetConfig } from '../../../lib/domain/videos/edits.ts'
import { withReported } from '../../../lib/domain/videos/job-progress.ts'
import {
  beginProcess,
  beginRender,
  isGenerated,
  requestRender,
  waitingText,
} from '../../../lib/domain/videos/job-transitions.ts'
import { hasScenes, refuseNotAi, refuseNotPresentation } from '../../../lib/domain/videos/kind.ts'
import { refusalCodeOf, refusalOf } from '../../support/refusals.ts'
import { renderedVideo } from '../support/publications.ts'
import {
  at,
  briefWith,
  decidedVideo,
  generationResult,
  renderResult,
  videoInputWith,
  videoThatIs,
  workspaceOn,
} from '../support/videos.ts'

const starter = workspaceOn('starter')
const check = { name: 'silenceMs' as const, passed: true, measured: 0, limit: 5_000 }

describe('a generation', () => {
  const complete = (result: Partial<GenerationResult>, fields: Partial<Video> = {}) =>
    completeProcess(
      starter,
      { ...videoThatIs.generating(), ...fields },
      'run_1',
      { ...generationResult, ...result },
      at(2),
    ).video

  it('leaves its script, its plans and the quality of what it made', () => {
    const plans = { plannedBRolls: 'b.json', plannedScenes: { scenes: 's.json', script: 'script.json' } }
    const { scriptKey, plannedBRolls, plannedScenes, process } = complete({
      ...{ ...plans, checks: [check], script: { key: 'script.json', writtenBy: 'model' } },
    })
    expect({ plannedBRolls, plannedScenes, scriptKey }).toEqual({ ...plans, scriptKey: 'script.json' })
    expect(process!.quality).toMatchObject({ passed: true, checks: [check], script: 'model' })
  })

  it('keeps what it did not make', () => {
    const before = {
      ...{ scriptKey: 'old.json', plannedBRolls: 'old', plannedScenes: { scenes: 'old', script: 'old' } },
      media: { ...videoThatIs.generating().media, captionsKey: 'old.vtt', thumbnailKey: 'old.jpg' },
    }
    const { captionsKey: _, ...uncaptioned } = generationResult
    const video = completeProcess(
      starter,
      { ...videoThatIs.generating(), ...before },
      'run_1',
      uncaptioned,
      at(2),
    ).video
    expect(video).toMatchObject({ ...before, media: { captionsKey: 'old.vtt', thumbnailKey: 'old.jpg' } })
    expect(video.process).not.toHaveProperty('quality')
    expect(complete({}, before).media.captionsKey).toBe(generationResult.captionsKey)
    expect(complete({ captionsKey: null }, before).media.captionsKey).toBeNull()
    for (const name of ['scriptKey', 'plannedBRolls', 'plannedScenes', 'credits'])
      expect(complete({})).not.toHaveProperty(name)
  })

  it('counts as an edit of the content, with its source and its timelines over the previous ones', () => {
    const source = { sourceKey: 's.mp4', thumbnailKey: 's.jpg' }
    const before = { ...videoThatIs.generating(), timelines: { presentationScenes: 'p.json', bRolls: 'old.json' } }
    const video = complete({ source }, before)
    expect(video).toMatchObject({ media: source, contentVersion: 2, shownVersion: 2, updatedAt: at(2) })
    expect(video.timelines).toEqual({ presentationScenes: 'p.json', ...generationResult.timelines })
  })

  it('owes the credits of its own sources, or else those of before', () => {
    const before = { credits: ['Text: old'] }
    expect(complete({ credits: ['Text: new'] }, before).credits).toEqual(['Text: new'])
    expect(complete({}, before).credits).toEqual(['Text: old'])
    expect(complete({ credits: [] }, before)).not.toHaveProperty('credits')
  })

  it('of new scenes clears the render of the previous ones', () => {
    const before = { media: { ...renderedVideo.media } }
    expect(complete({ timelines: { scenes: 's.json' } }, before)).toMatchObject({
      media: { renderKey: null, bytes: null },
      clearedVersion: 2,
    })
    expect(complete({}, before).media.renderKey).toBe(renderResult.renderKey)
  })

  it('is refused for a text that takes much longer than is paid for', () => {
    const create = (words: number, fields: Parameters<typeof briefWith>[0] = {}) =>
      refusalOf(() =>
        createVideo(
          starter,
          videoInputWith({ brief: briefWith({ inputMode: 'script', text: 'word '.repeat(words), ...fields }) }),
          { videoId: 'vid_1', runId: 'run_1' },
          at(0),
        ),
      )
    // 60 s are paid for, and a fast voice speaks 2.6 x 1.3 words a second.
    expect(create(202)).toBeUndefined()
    expect(create(203)).toMatchObject({
      code: 'invalid-request',
      extras: { details: [{ path: 'body.videoDuration' }] },
    })
    expect(create(203)!.message).toContain('allows 60 seconds, but the text takes about 78 seconds')
    expect(create(203, { targetDuration: 60 })!.extras.details).toMatchObject([{ path: 'body.targetDuration' }])
    expect(create(203, { inputMode: 'idea' })).toBeUndefined()
  })
})

describe('a render', () => {
  const renderQueued = (fields: Partial<Video> = {}) =>
    decidedVideo(requestRender(starter, { ...videoThatIs.generated(), ...fields }, 'run_2', at(3)))

  it('waits for a generation that replaces its content', () => {
    const codeOf = (fields: Partial<Video>) =>
      refusalCodeOf(() => requestRender(starter, { ...videoThatIs.generated(), ...fields }, 'run_2', at(3)))
    expect([codeOf({}), codeOf({ process: videoThatIs.generating().process })]).toEqual([undefined, 'job-in-progress'])
  })

  it('knows the manifest of the last one that was completed', () => {
    expect(renderQueued().render).not.toHaveProperty('previousManifestKey')
    const previous = (fields: Partial<RenderJob>) =>
      renderQueued({ render: { ...renderedVideo.render!, ...fields } }).render!.previousManifestKey
    expect(previous({ manifestKey: 'a' })).toBe('a')
    expect(previous({ manifestKey: 'a', previousManifestKey: 'b' })).toBe('a')
    expect(previous({ status: 'FAILED', manifestKey: 'a', previousManifestKey: 'b' })).toBe('b')
    expect(previous({ status: 'FAILED', manifestKey: 'a' })).toBeUndefined()
  })

  it('has its full time from when it begins', () => {
    const begun = (minutes: number) => decidedVideo(beginRender(renderQueued(), 'run_2', 'm', at(3 + 60 * minutes)))
    expect(begun(0).render!.deadlineAt).toBe(at(3 + 720 + 300))
    expect(begun(9).render!.deadlineAt).toBe(at(3 + 540 + 720 + 300))
    expect(decidedVideo(beginProcess(videoThatIs.queued(), 'run_1', at(60))).process).toMatchObject({
      ...{ progress: 1, statusText: 'Starting', deadlineAt: at(60 + 30 * 60) },
    })
  })

  it('is stale where the video was edited since its version, and is not shown where it was cleared', () => {
    const rendering = { ...videoThatIs.rendering(renderQueued()), contentVersion: 9 }
    const shown = (fields: Partial<Video>, inputVersion: number | null = 5) => {
      const render = { ...rendering.render!, inputVersion }
      const { video } = completeRender({ ...rendering, ...fields, render }, 'run_2', 0, renderResult, at(9))
      expect(video.media.renderedVersion).toBe(video.media.renderKey === null ? undefined : (inputVersion ?? undefined))
      return [video.render!.stale, video.media.renderKey !== null]
    }
    expect(shown({ shownVersion: 5 })).toEqual([false, true])
    expect(shown({ shownVersion: 6 })).toEqual([true, true])
    expect(shown({ clearedVersion: 5, shownVersion: 5 })).toEqual([false, true])
    expect(shown({ clearedVersion: 6, shownVersion: 6 })).toEqual([true, false])
    expect(shown({ shownVersion: 1 }, null)).toEqual([true, true])
    expect(shown({ shownVersion: 0 }, null)).toEqual([false, true])
  })

  it('leaves how it was made', () => {
    const made = { inputsHash: 'a', sha256: 'b', reuse: { segments: 3, reused: 2, secondsRendered: 1 } }
    const rendering = videoThatIs.rendering(renderQueued())
    expect(completeRender(rendering, 'run_2', 0, { ...renderResult, made }, at(9)).video.render!.made).toEqual(made)
    expect(completeRender(rendering, 'run_2', 0, renderResult, at(9)).video.render).not.toHaveProperty('made')
    expect(completeRender(rendering, 'run_2', 0, { ...renderResult, made }, at(9)).video.media).not.toHaveProperty(
      'made',
    )
  })

  it('cannot be completed before it is claimed', () => {
    expect(() => completeRender(renderQueued(), 'run_2', 0, renderResult, at(9))).toThrow('before it was claimed')
  })

  it('for a download is made of an ai video only, and once', () => {
    const stitch = (video: Video) => stitchForDownload(starter, video, 'run_3', at(10))
    const ai: Video = { ...videoThatIs.generated(), type: 'ai' }
    expect(stitch(ai)!.starts).toEqual([{ pipeline: 'render', videoId: 'vid_1', runId: 'run_3' }])
    expect(stitch({ ...ai, render: renderQueued().render })).toBeUndefined()
    expect(stitch(renderedVideo)).toBeUndefined()
    expect(refusalCodeOf(() => stitch(videoThatIs.generated()))).toBe('warning-source-not-ready')
  })

  it.each([
    [{ audioKey: null }, { scenes: 's' }, false],
    [{}, {}, false],
    [{}, { scenes: 's' }, true],
    [{}, { bRolls: 'b' }, true],
    [{ sourceKey: 's' }, {}, true],
  ])('needs a narration, and pictures or a source: %j %j %s', (media, timelines, expected) => {
    const { generated } = videoThatIs
    expect(isGenerated({ ...generated(), media: { ...generated().media, ...media }, timelines })).toBe(expected)
  })
})

describe('a conversion', () => {
  const ai: Video = { ...renderedVideo, type: 'ai', timelines: { ...renderedVideo.timelines, scenes: 's.json' } }
  const codeOf = (fields: Partial<Video>) =>
    refusalCodeOf(() => requestConversion({ ...ai, ...fields }, 'run_7', at(10)))

  it('is free, and keeps the captions and the render', () => {
    const { video, starts, charges } = requestConversion(ai, 'run_7', at(10))
    expect(video.process).toMatchObject({
      ...{ work: 'convert', charge: null, status: 'QUEUED' },
      wishes: { transcribe: true, addBRolls: true, render: false },
    })
    expect([starts, charges]).toEqual([[{ pipeline: 'generate', videoId: 'vid_1', runId: 'run_7' }], []])
    const converted = completeConversion(video, 'run_7', { sourceKey: 'clean.mp4', bRollsKey: 'new.json' }, at(20))
    expect(converted.video).toMatchObject({
      ...{ type: 'video', contentVersion: ai.contentVersion + 1, media: { ...ai.media, sourceKey: 'clean.mp4' } },
      process: { status: 'COMPLETED', progress: 100, statusText: null },
    })
    expect(converted.video).toMatchObject({ id: ai.id, title: ai.title, brief: ai.brief, render: ai.render })
    const { bRolls: _bRolls, scenes: _scenes, ...kept } = ai.timelines
    expect(converted.video.timelines).toEqual({ ...kept, bRolls: 'new.json' })
    expect(converted.events.map(({ type }) => type)).toEqual(['video.generation_completed'])
  })

  it.each<[string, Partial<Video>, string]>([
    ['is no ai video', { type: 'video' }, 'already-converted'],
    ['has no scenes', { timelines: {} }, 'warning-source-not-ready'],
    ['is being generated', { process: videoThatIs.generating().process }, 'job-in-progress'],
    ['is being rendered', { render: { ...ai.render!, status: 'QUEUED' } }, 'job-in-progress'],
    ['has no render', { media: { ...ai.media, renderKey: null } }, 'warning-source-not-ready'],
    ['was never rendered', { render: null }, 'warning-source-not-ready'],
    ['has failed to render', { render: { ...ai.render!, status: 'FAILED' } }, 'warning-source-not-ready'],
    ['has failed to generate', { process: { ...ai.process!, status: 'FAILED' } }, 'warning-source-not-ready'],
  ])('of a video that %s is refused', (_name, fields, code) => {
    expect([codeOf({}), codeOf(fields)]).toEqual([undefined, code])
  })

  it('needs the render and its manifest', () => {
    expect(renderToConvert(ai)).toEqual({ renderKey: renderResult.renderKey, manifestKey: ai.render!.manifestKey })
    for (const fields of [
      { media: { ...ai.media, renderKey: null } },
      { render: { ...ai.render!, manifestKey: null } },
      { render: null },
    ])
      expect(refusalCodeOf(() => renderToConvert({ ...ai, ...fields }))).toBe('warning-source-not-ready')
  })
})

describe('a clip', () => {
  const clipOf = (source: Video) =>
    createClip(starter, source, { regenerate: false, render: true }, { videoId: 'vid_2', runId: 'run_9' }, at(20))

  it('has the options of its source, but its own render, and owes what its source owes', () => {
    const process = { ...renderedVideo.process!, wishes: { transcribe: false, addBRolls: false, render: false } }
    expect(clipOf({ ...renderedVideo, process }).video.process!.wishes).toEqual({
      transcribe: false,
      addBRolls: false,
      render: true,
    })
    expect(clipOf({ ...renderedVideo, process: null }).video.process!.wishes).toEqual({
      transcribe: true,
      addBRolls: true,
      render: true,
    })
    for (const name of ['credits', 'variation', 'plannedScenes', 'plannedBRolls'])
      expect(clipOf(renderedVideo).video).not.toHaveProperty(name)
    const plannedScenes = { scenes: 's', script: 't' }
    expect(clipOf({ ...renderedVideo, credits: ['Text: a'], plannedScenes }).video).toMatchObject({
      credits: ['Text: a'],
      plannedScenes,
    })
  })

  it('cannot be completed without content', () => {
    const clip = decidedVideo(beginProcess(clipOf(renderedVideo).video, 'run_9', at(21)))
    for (const fields of [{ durationSeconds: null }, { media: { ...clip.media, audioKey: null } }])
      expect(() => completeClip(starter, { ...clip, ...fields }, 'run_9', at(22))).toThrow('has no content')
  })
})

describe('the kind of a video', () => {
  it('decides what it has', () => {
    const ai: Video = { ...videoThatIs.generated(), type: 'ai', timelines: { scenes: 's' } }
    expect([hasScenes(ai), hasScenes({ ...ai, type: 'faceless' }), hasScenes({ ...ai, timelines: {} })]).toEqual([
      true,
      false,
      false,
    ])
    expect([refusalCodeOf(() => refuseNotAi(ai)), refusalCodeOf(() => refuseNotAi({ ...ai, type: 'video' }))]).toEqual([
      undefined,
      'wrong-video-type',
    ])
    const codeOf = (subType: string | null) => refusalCodeOf(() => refuseNotPresentation({ subType }))
    expect([codeOf('presentation'), codeOf('ugc'), codeOf(null)]).toEqual([
      undefined,
      'wrong-video-type',
      'wrong-video-type',
    ])
  })
})

it.each([
  [1, '1st'],
  [2, '2nd'],
  [3, '3rd'],
  [4, '4th'],
  [11, '11th'],
  [20, '20th'],
  [21, '21st or later'],
  [22, '21st or later'],
])('the run at place %i waits as the %s', (place, text) => {
  expect(waitingText(place)).toBe(`Waiting for a free slot (${text})`)
})

it('a reported text is shown for a generation only', () => {
  const { process } = videoThatIs.generating()
  const reported = { progress: 40, statusText: 'Drawing', batchPercents: [] }
  expect(withReported(process!, reported)).toMatchObject({ progress: 40, statusText: 'Drawing' })
  expect(withReported(process!, { batchPercents: [] })).toEqual(process)
  expect(withReported(videoThatIs.queued().process!, { batchPercents: [] }).progress).toBe(0)
  expect(withReported(renderedVideo.render!, reported)).not.toHaveProperty('statusText')
})

it('a reset theme is that of the editor', () => {
  const { video } = resetConfig({ ...renderedVideo, config: { musicMood: 'calm' } }, at(50))
  expect(video).toMatchObject({ config: editorDefaults, contentVersion: renderedVideo.contentVersion + 1 })
  expect(video.config).not.toHaveProperty('musicMood')
})
