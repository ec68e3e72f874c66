/**
 * Writes the immutable manifest of what the video shows now, and claims the run with it in one commit. Scenes that were edited
 * since they were spoken have to be spoken first: then the run is not claimed yet, which the state machine is told.
 */
import { changeVideo, videoOfOpenRun } from '../../../lib/actions/change-video.ts'
import { keepJson } from '../../../lib/actions/keep.ts'
import { runInput, step } from '../../../lib/actions/step.ts'
import { getJson } from '../../../lib/aws/media.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { now } from '../../../lib/clock.ts'
import { artefactKey } from '../../../lib/domain/artefact.ts'
import { contentOwner } from '../../../lib/domain/clip.ts'
import { JobFailure } from '../../../lib/domain/job.ts'
import { narrationFactsKey } from '../../../lib/domain/narration.ts'
import type { Soundtrack } from '../../../lib/domain/soundtrack.ts'
import { soundtrackKey } from '../../../lib/domain/soundtrack.ts'
import { hasScenes, segmentsOf } from '../../../lib/domain/timelines/scenes.ts'
import type { Video } from '../../../lib/domain/video.ts'
import { beginRender } from '../../../lib/domain/video-jobs.ts'
import type { Workspace } from '../../../lib/domain/workspace.ts'
import { compose, type Timeline } from '../../../lib/render/compose.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = step(runInput, 'render-failed', async (run) => {
  await videoOfOpenRun(run, 'render')
  const workspace = await getWorkspace(run.workspaceId)
  const { render } = await changeVideo(run, async (video) => {
    const owner = { workspace, videoId: video.id }
    const timeline = await timelineOf(workspace, video)
    if (!timeline) return undefined
    const composition = composed(() => compose(video, timeline))
    const key = artefactKey(owner, 'manifests', composition, 'json')
    await keepJson(owner, key, composition)
    return beginRender(video, run.runId, key, now())
  })
  return { claimed: render?.status === 'PROCESSING' }
})

/** What is shown and when; undefined where the sound, which may still be that of a clip's source, is not that of the scenes. */
async function timelineOf(workspace: Workspace, video: Video): Promise<Timeline | undefined> {
  if (!hasScenes(video)) return getTimelines(video, ['captions', 'captionsPages', 'bRolls'])
  const { scenes, ...captions } = await getTimelines(video, ['captions', 'captionsPages', 'scenes'])
  const audioKey = soundtrackKey(contentOwner(workspace, video), scenes, video.brief.voiceId)
  if (video.media.audioKey !== audioKey) return undefined
  const { places } = await getJson<Soundtrack>(narrationFactsKey(audioKey))
  return { ...captions, bRolls: segmentsOf(scenes, places) }
}

/** What cannot be composed will not be composable in the next attempt either. */
function composed<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError) throw new JobFailure('render-failed', error.message)
    throw error
  }
}
