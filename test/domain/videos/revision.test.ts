/** The revision of a video: what changes it, and what keeps it. */
import { describe, expect, it } from 'vitest'
import { attachSceneClips } from '../../../lib/domain/generation/scenes/scene-media.ts'
import { applySoundtrack } from '../../../lib/domain/generation/scenes/soundtrack.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { completeRender } from '../../../lib/domain/videos/complete-job.ts'
import { mergeConfig, replaceTimelines, setDescription } from '../../../lib/domain/videos/edits.ts'
import { requestRender } from '../../../lib/domain/videos/job-transitions.ts'
import { refuseOtherRevision, revisionOf } from '../../../lib/domain/videos/revision.ts'
import { refusalCodeOf } from '../../support/refusals.ts'
import { at, decidedVideo, renderResult, videoThatIs, workspaceOn } from '../support/videos.ts'

const generated = videoThatIs.generated()
const rendering = videoThatIs.rendering(decidedVideo(requestRender(workspaceOn('starter'), generated, 'run_2', at(3))))

describe('the revision of a video', () => {
  it('is a strong entity tag that does not depend on the order of stored keys', () => {
    const brief = Object.fromEntries(Object.entries(generated.brief).toReversed()) as unknown as Video['brief']
    expect(revisionOf(generated)).toMatch(/^"[\w-]{22}"$/)
    expect(revisionOf({ ...generated, brief })).toBe(revisionOf(generated))
  })

  it('changes with every edit, also with one that stores the same again', () => {
    const edits = [
      mergeConfig(generated, { captionsFontSize: 64 }, at(9)),
      mergeConfig(generated, generated.config, at(9)),
      replaceTimelines(generated, { bRolls: 'edited.json' }, at(9)),
      setDescription(generated, 'Calm mornings.', null, at(9)),
    ]
    for (const { video } of edits) expect(revisionOf(video)).not.toBe(revisionOf(generated))
  })

  it('stays while the video is rendered', () => {
    const { runId, attempt } = rendering.render!
    const animated = attachSceneClips(rendering, runId, attempt, 'animated.json', at(5)).video
    const rendered = completeRender(animated, runId, attempt, renderResult, at(6)).video
    for (const video of [rendering, animated, rendered]) expect(revisionOf(video)).toBe(revisionOf(generated))
  })

  it('changes with a render that speaks edited narration again, which replaces the captions', () => {
    const spoken = {
      soundtrack: { audioKey: 'a.wav', durationMs: 9_000, words: [], levels: [], places: [] },
      captions: { captionsKey: null, timelines: { captions: 'spoken.json', captionsPages: 'pages.json' } },
    }
    const after = decidedVideo(applySoundtrack(rendering, rendering, 'run_2', spoken, at(5)))
    expect(revisionOf(after)).not.toBe(revisionOf(generated))
  })

  it('refuses an edit of another revision', () => {
    expect(refusalCodeOf(() => refuseOtherRevision(generated, ['"other"', revisionOf(generated)]))).toBeUndefined()
    expect(refusalCodeOf(() => refuseOtherRevision(generated, ['"other"']))).toBe('precondition-failed')
    expect(refusalCodeOf(() => refuseOtherRevision(generated, []))).toBe('precondition-failed')
  })
})
