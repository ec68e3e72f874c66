import { describe, expect, it } from 'vitest'
import {
  attachSceneClips,
  downscaledSize,
  needsClip,
  portraitUrlOf,
  sceneClipRequest,
  sceneStillRequest,
  withClips,
} from '../../../../lib/domain/generation/scenes/scene-media.ts'
import type { StoredScene } from '../../../../lib/domain/generation/scenes/scenes.ts'
import {
  addScene,
  changeScenes,
  editScene,
  removeScene,
  sceneSpans,
  sceneSpeechMs,
  sceneStatus,
  scenesAsBRolls,
  withSceneImage,
} from '../../../../lib/domain/generation/scenes/scenes.ts'
import type { Soundtrack } from '../../../../lib/domain/generation/scenes/soundtrack.ts'
import { applySoundtrack, soundtrackKey } from '../../../../lib/domain/generation/scenes/soundtrack.ts'
import type { Video } from '../../../../lib/domain/records/video.ts'
import { completeRender } from '../../../../lib/domain/videos/complete-job.ts'
import { requestRender } from '../../../../lib/domain/videos/job-transitions.ts'
import { compose } from '../../../../lib/render/compose.ts'
import { storedScene, storedScenes } from '../../../support/given/scenes.ts'
import {
  at,
  briefWith,
  decidedVideo,
  renderResult,
  videoInputWith,
  videoThatIs,
  workspaceOn,
} from '../../support/videos.ts'

const idsOf = (scenes: { id: string }[]) => scenes.map(({ id }) => id)
const workspace = workspaceOn('starter')
/** An ai video whose render begins 3 seconds after the tests' start time. */
const rendering = (): Video => {
  const generated = videoThatIs.generated(videoInputWith({ type: 'ai' }))
  const narrated: Video = { ...generated, timelines: { ...generated.timelines, scenes: 'scenes.json' } }
  return videoThatIs.rendering(decidedVideo(requestRender(workspace, narrated, 'run_2', at(3))))
}

describe('the scenes of a video', () => {
  it('insert a new one after the named one, at the end or at the beginning', () => {
    const scenes = storedScenes(2)
    expect(idsOf(addScene(scenes, 'scn_new', 'scn_1').scenes)).toEqual(['scn_1', 'scn_new', 'scn_2'])
    expect(idsOf(addScene(scenes, 'scn_new').scenes)).toEqual(['scn_1', 'scn_2', 'scn_new'])
    const alone = addScene([], 'scn_new')
    expect(idsOf(alone.scenes)).toEqual(['scn_new'])
    expect(alone.scene.voiceDescription).toBe('')
    expect(idsOf(scenes)).toEqual(['scn_1', 'scn_2'])
  })

  it('reject every operation on a scene that does not exist', () => {
    for (const change of [
      () => addScene(storedScenes(2), 'scn_new', 'scn_9'),
      () => editScene(storedScenes(2), 'scn_9', {}),
      () => withSceneImage(storedScenes(2), 'scn_9', 'ocean', 'new.png'),
      () => removeScene(storedScenes(2), 'scn_9'),
    ])
      expect(change).toThrow(expect.objectContaining({ code: 'not-found' }))
  })

  it('are at most 50, and a new one is empty but for the voice of its predecessor', () => {
    expect(addScene(storedScenes(49), 'scn_new').scenes).toHaveLength(50)
    expect(() => addScene(storedScenes(50), 'scn_new')).toThrow(expect.objectContaining({ code: 'limit-reached' }))
    expect(addScene(storedScenes(2), 'scn_new', 'scn_1').scene).toEqual({
      ...{ id: 'scn_new', imagePrompt: '', animationPrompt: '', narration: '', duration: 6 },
      ...{ voiceDescription: storedScene(1).voiceDescription, imageKey: null, videoKey: null },
    })
    expect(addScene(storedScenes(2), 'scn_new', null).scene.voiceDescription).toBe(storedScene(2).voiceDescription)
  })

  it('cannot be changed during a generation', () => {
    const generating = { ...rendering(), process: videoThatIs.generating().process }
    expect(() => changeScenes(generating, 'other.json', at(5))).toThrow(
      expect.objectContaining({ code: 'job-in-progress' }),
    )
  })

  it('are ready once they have a still', () => {
    expect([sceneStatus(storedScene(1)), sceneStatus(storedScene(1, { imageKey: null }))]).toEqual(['ready', 'draft'])
  })

  it('drop the scene clip of an edited or redrawn scene, and of no other', () => {
    const edited = editScene(storedScenes(2), 'scn_2', { duration: 9 }).scenes
    expect(edited).toEqual([storedScene(1), storedScene(2, { duration: 9, videoKey: null })])
    const drawn = withSceneImage(storedScenes(2), 'scn_1', 'desert', 'new.png').scenes
    expect(drawn).toEqual([
      storedScene(1, { imagePrompt: 'desert', imageKey: 'new.png', videoKey: null }),
      storedScene(2),
    ])
  })
})

describe('a cleared render', () => {
  it('does not reappear when an edit clears it during a render, and the next one does', () => {
    const begun = rendering()
    const cleared = changeScenes(begun, 'other.json', at(5)).video
    const done = completeRender(cleared, 'run_2', 0, renderResult, at(6)).video
    expect(done).toMatchObject({
      media: { renderKey: null, bytes: null },
      render: { status: 'COMPLETED', stale: true },
    })
    const again = videoThatIs.rendering(decidedVideo(requestRender(workspace, done, 'run_3', at(7))))
    expect(completeRender(again, 'run_3', 0, renderResult, at(8)).video).toMatchObject({
      media: { renderKey: renderResult.renderKey },
      render: { stale: false },
    })
  })

  it('is shown again by a render that started after the edit', () => {
    const queued = decidedVideo(requestRender(workspace, { ...rendering(), render: null }, 'run_3', at(5)))
    const begun = videoThatIs.rendering(changeScenes(queued, 'other.json', at(6)).video)
    expect(completeRender(begun, 'run_3', 0, renderResult, at(7)).video).toMatchObject({
      media: { renderKey: renderResult.renderKey },
      render: { stale: false },
    })
  })

  it('keeps its thumbnail for the list until the next one', () => {
    const done = completeRender(rendering(), 'run_2', 0, renderResult, at(5)).video
    const { renderedVersion: _, ...media } = done.media
    expect(changeScenes(done, 'other.json', at(6)).video.media).toEqual({ ...media, renderKey: null, bytes: null })
  })

  it('is only stale after an edit of another kind', () => {
    const edited = { ...rendering(), contentVersion: 9, shownVersion: 9 }
    expect(completeRender(edited, 'run_2', 0, renderResult, at(6)).video).toMatchObject({
      media: { renderKey: renderResult.renderKey },
      render: { stale: true },
    })
  })
})

describe('the timeline of scenes', () => {
  it('is contiguous, each scene with its set or its spoken length; the render outlasts the last word', () => {
    const scenes = [storedScene(1, { duration: 5 }), storedScene(2, { duration: 6.5 }), storedScene(3, { duration: 5 })]
    expect(sceneSpans(scenes, [7_200, 0, 4_900])).toEqual([
      { startMs: 0, endMs: 7_200 },
      { startMs: 7_200, endMs: 13_700 },
      { startMs: 13_700, endMs: 19_200 },
    ])
    expect(sceneSpans(scenes.slice(0, 1), [0])).toEqual([{ startMs: 0, endMs: 5_000 }])
    expect(sceneSpans([], [])).toEqual([])
    expect([sceneSpeechMs([500, 900], 0), sceneSpeechMs([500, 900], 1), sceneSpeechMs([500, 0], 1)]).toEqual([
      500, 1_500, 0,
    ])
    expect([sceneSpeechMs([], 0), sceneSpeechMs([500], 1)]).toEqual([0, 0])
  })

  it('shows the scene clip, else the still (also for a clip of camera motion only), else nothing', () => {
    const scenes = [
      storedScene(1),
      storedScene(2, { videoKey: null }),
      storedScene(3, { videoKey: null, imageKey: null }),
    ]
    const places = sceneSpans(scenes, [])
    const segments = scenesAsBRolls({ subType: null }, scenes, places)
    expect(segments.map(({ media }) => media)).toEqual([
      { kind: 'clip', key: scenes[0]!.videoKey },
      { kind: 'still', key: scenes[1]!.imageKey },
      null,
    ])
    expect(idsOf(segments)).toEqual(['brl_1', 'brl_2', 'brl_3'])
    expect(segments.map(({ mediaType }) => mediaType)).toEqual(['ai_video', 'ai_image', 'ai_image'])
    const [camera] = scenesAsBRolls({ subType: null }, [storedScene(1, { isCameraMove: true })], places)
    expect(camera).toMatchObject({ mediaType: 'ai_image', media: { kind: 'still', key: scenes[0]!.imageKey } })
  })
})

describe('a scene clip', () => {
  const still = storedScene(1, { videoKey: null })

  it('is awaited when there is a picture to animate, or a person to speak', () => {
    const bare = storedScene(2, { imageKey: null, videoKey: null })
    const waits = (subType: string | null) =>
      [storedScene(1), still, bare].map((scene) => needsClip({ subType }, scene))
    expect(waits(null)).toEqual([false, true, false])
    expect(waits('ugc')).toEqual([false, true, true])
  })

  it('continues while the next scene fades in, in the frame of the video', () => {
    const request = sceneClipRequest(rendering(), still, { startMs: 2_000, endMs: 8_400 })
    expect(request).toMatchObject({ prompt: still.animationPrompt, durationMs: 6_800, width: 1080, height: 1920 })
    expect(downscaledSize({ brief: briefWith({ aspectRatio: '4:5' }) })).toEqual({ width: 720, height: 900 })
    expect(downscaledSize({ brief: briefWith({ aspectRatio: '16:9' }) })).toEqual({ width: 1280, height: 720 })
  })

  it('has a still of its prompt, a fifth larger than the frame', () => {
    expect(
      sceneStillRequest({ id: 'vid_1', mood: 'calm', brief: briefWith() }, { imagePrompt: 'kettle; wide' }),
    ).toEqual({
      ...{ prompt: 'kettle; wide', keywords: ['kettle'], mood: 'calm', width: 1296, height: 2304, seed: 'vid_1' },
    })
  })

  it('shows the portrait of the presenter, or else that of the character', () => {
    const of = (presenter: object | null, characterImageUrl: string | null) =>
      portraitUrlOf(briefWith({ presenter, characterImageUrl }))
    expect([of({ imageUrl: 'a' }, 'b'), of({ name: 'Ann' }, 'b'), of(null, 'b'), of(null, null)]).toEqual([
      'a',
      'b',
      'b',
      null,
    ])
  })

  it('is attached to its scene unless that was edited meanwhile, and to no other', () => {
    const from = [still, storedScene(2), storedScene(3, { videoKey: null })]
    const made = from.map((scene) => ({ ...scene, videoKey: `new-${scene.id}.mp4` }))
    const now = [storedScene(9, { videoKey: null }), { ...still, narration: 'Edited.' }, from[2]!]
    expect(withClips(now, from, made)).toEqual([now[0], now[1], made[2]])
  })

  it('is recorded without a newer version of the shown content', () => {
    const video = decidedVideo(requestRender(workspace, { ...rendering(), render: null }, 'run_3', at(5)))
    const after = attachSceneClips(video, 'run_3', 0, 'clips.json', at(6)).video
    expect([after.timelines.scenes, after.contentVersion]).toEqual(['clips.json', video.contentVersion])
    expect(() => attachSceneClips(video, 'run_2', 0, 'clips.json', at(6))).toThrow(/no longer the open render/)
  })

  it('is not recorded by a worker that was taken over', () => {
    const video = decidedVideo(requestRender(workspace, { ...rendering(), render: null }, 'run_3', at(5)))
    const claimedAgain = { ...video, render: { ...video.render!, attempt: 2 } }
    expect(() => attachSceneClips(claimedAgain, 'run_3', 1, 'clips.json', at(6))).toThrow(/Attempt 1 .* taken over/)
  })
})

describe('the b-roll of a scene', () => {
  it('has what the scene shows and says', () => {
    const places = sceneSpans(storedScenes(2), [])
    expect(scenesAsBRolls({ subType: null }, storedScenes(2), places)[1]).toEqual({
      ...{
        id: 'brl_2',
        ...places[1],
        text: storedScene(2).narration,
        prompt: 'ocean, boat 2',
        keywords: ['ocean', 'boat'],
      },
      ...{ mediaType: 'ai_video', animation: 'Slow push in', hidden: false },
      media: { kind: 'clip', key: storedScene(2).videoKey },
    })
    const [plain] = scenesAsBRolls({ subType: null }, [storedScene(1, { animationPrompt: '' })], places)
    expect(plain).not.toHaveProperty('animation')
    const [moved] = scenesAsBRolls({ subType: null }, [storedScene(1, { isCameraMove: true, imageKey: null })], places)
    expect(moved!.media).toEqual({ kind: 'clip', key: storedScene(1).videoKey })
  })
})

describe('the composition of scenes', () => {
  const shotsOf = (scenes: StoredScene[], subType: string | null = null) => {
    const places = sceneSpans(scenes, [])
    const video = { ...rendering(), subType, durationSeconds: (places.at(-1)?.endMs ?? 0) / 1000 }
    return compose(video, { captions: [], captionsPages: [], bRolls: scenesAsBRolls(video, scenes, places) }).shots
  }
  const seen = (scenes: StoredScene[]) =>
    shotsOf(scenes).map(({ media, startMs, endMs }) => ['key' in media && media.key, startMs, endMs])
  const bare = { imageKey: null, videoKey: null, duration: 5 }

  it('extends the previous picture over a scene without one, and begins with the first picture', () => {
    const pictured = storedScene(2, { duration: 5 })
    expect(seen([storedScene(1, bare), pictured, storedScene(3, bare), storedScene(4, { duration: 5 })])).toEqual([
      [pictured.videoKey, 0, 15_000],
      [storedScene(4).videoKey, 15_000, 20_000],
    ])
    expect(() => seen([storedScene(1, bare)])).toThrow(/no segment and no scene has a picture/)
  })

  it.each([
    ['Slow push in', [1, 0.5], [1.14, 0.5]],
    ['Zooms out slowly', [1.14, 0.5], [1, 0.5]],
    ['Pan to the left', [1.12, 1], [1.12, 0]],
    ['Pan to the right', [1.12, 0], [1.12, 1]],
    ['A still picture', [1, 0.5], [1, 0.5]],
  ])('moves a still as its animationPrompt says: %s', (animationPrompt, from, to) => {
    const [shot] = shotsOf([storedScene(1, { videoKey: null, animationPrompt })])
    expect([shot!.motion.from, shot!.motion.to].map(({ scale, x }) => [scale, x])).toEqual([from, to])
  })

  it('moves a still by default without an animationPrompt, and footage not at all', () => {
    const [first] = shotsOf([storedScene(1, { videoKey: null, animationPrompt: '' })])
    expect(first!.motion.from).not.toEqual(first!.motion.to)
    const [clip] = shotsOf([storedScene(1)])
    expect(clip!.motion.from).toEqual(clip!.motion.to)
  })

  it('cuts to a speaking person, zooms in on every other scene a little, and fades elsewhere', () => {
    const look = (subType: string | null) =>
      shotsOf(storedScenes(3), subType).map(({ enter, motion }) => [enter, motion.from.scale, motion.to.scale])
    expect(look('ugc')).toEqual([
      ['cut', 1, 1],
      ['cut', 1.12, 1.12],
      ['cut', 1, 1],
    ])
    expect(look(null)).toEqual([1, 2, 3].map(() => [undefined, 1, 1]))
  })
})

describe('the sound of scenes', () => {
  const owner = { workspace, videoId: 'vid_1' }
  const key = (scenes = storedScenes(2), voiceId = 'en-clara') => soundtrackKey(owner, scenes, voiceId)

  it('depends on words, order, voice and length, and not on the pictures', () => {
    const [first, second] = [storedScene(1), storedScene(2)]
    const others = [
      key([first, { ...second, narration: 'Other words.' }]),
      key([first, { ...second, voiceDescription: 'A male voice' }]),
      key([first, { ...second, duration: 7 }]),
      key([second, first]),
      key([first]),
      key([first, second], 'en-miles'),
    ]
    expect(new Set([key(), ...others]).size).toBe(7)
    expect(key([first, { ...second, imagePrompt: 'x', animationPrompt: 'y', imageKey: null, videoKey: null }])).toBe(
      key(),
    )
  })

  const soundtrack: Soundtrack = { audioKey: 'new.wav', durationMs: 12_345, words: [], places: [] }
  const captions = { captionsKey: 'new.vtt', timelines: { captions: 'c.json', captionsPages: 'p.json' } }
  const waiting = () => decidedVideo(requestRender(workspace, { ...rendering(), render: null }, 'run_3', at(5)))

  it('is recorded without a newer version of the shown content', () => {
    const video = waiting()
    const after = applySoundtrack(video, video, 'run_3', { soundtrack, captions }, at(6))!.video
    expect(after).toMatchObject({
      durationSeconds: 12.345,
      contentVersion: video.contentVersion,
      media: { audioKey: 'new.wav', captionsKey: 'new.vtt' },
      timelines: { ...video.timelines, ...captions.timelines },
    })
    const silent = applySoundtrack(video, video, 'run_3', { soundtrack, captions: undefined }, at(6))!.video
    expect(silent.media).toEqual({ ...video.media, audioKey: 'new.wav' })
  })

  it('is not recorded when scenes or voice were edited meanwhile, or the run is over', () => {
    const heard = waiting()
    const edited = changeScenes(heard, 'other.json', at(6)).video
    const voiced = { ...heard, brief: { ...heard.brief, voiceId: 'en-miles' } }
    for (const video of [edited, voiced])
      expect(applySoundtrack(video, heard, 'run_3', { soundtrack, captions }, at(7))).toBeUndefined()
    expect(() => applySoundtrack(heard, heard, 'run_2', { soundtrack, captions }, at(7))).toThrow(
      /no longer the open render/,
    )
  })
})
