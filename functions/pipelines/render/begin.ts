/**
 * Writes the immutable manifest of what the video shows now, and claims the run with it in one commit. Scenes that were edited
 * since they were spoken have to be spoken first: then the run is not claimed yet, which the state machine is told.
 */
import { changeVideo, videoOfOpenRun } from '../../../lib/actions/change-video.ts'
import { keepClientPictures } from '../../../lib/actions/client-pictures.ts'
import { keepJson } from '../../../lib/actions/keep.ts'
import { type RunInput, runInput, step } from '../../../lib/actions/step.ts'
import { getJson, hasObject } from '../../../lib/aws/media.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { now } from '../../../lib/clock.ts'
import { artefactKey } from '../../../lib/domain/artefact.ts'
import { contentOwner } from '../../../lib/domain/clip.ts'
import { JobFailure, type RenderJob } from '../../../lib/domain/job.ts'
import { narrationFactsKey } from '../../../lib/domain/narration.ts'
import type { Soundtrack } from '../../../lib/domain/soundtrack.ts'
import { soundtrackKey } from '../../../lib/domain/soundtrack.ts'
import { isPresentation } from '../../../lib/domain/timelines/presentation.ts'
import { hasScenes, segmentsOf } from '../../../lib/domain/timelines/scenes.ts'
import type { Video } from '../../../lib/domain/video.ts'
import { beginRender } from '../../../lib/domain/video-jobs.ts'
import type { Workspace } from '../../../lib/domain/workspace.ts'
import { env } from '../../../lib/env.ts'
import { batchesOf } from '../../../lib/render/batches.ts'
import { compose, type Timeline } from '../../../lib/render/compose.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import { picturesWanted } from '../../../lib/render/slides/scenes.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = step(runInput, 'render-failed', async (run) => {
  await videoOfOpenRun(run, 'render')
  const workspace = await getWorkspace(run.workspaceId)
  let composition: Composition | undefined
  const { render } = await changeVideo(run, async (video) => {
    const owner = { workspace, videoId: video.id }
    const timeline = await timelineOf(workspace, video)
    if (!timeline) return undefined
    composition = composed(() => compose(video, timeline))
    const key = artefactKey(owner, 'manifests', composition, 'json')
    await keepJson(owner, key, composition)
    return beginRender(video, run.runId, key, now())
  })
  const claimed = render?.status === 'PROCESSING'
  return { claimed, batches: claimed && composition ? await batchesFor(run, composition, render) : [] }
})

/** Where several tasks render at once: the frames of each, and what it is told besides. */
async function batchesFor(run: RunInput, composition: Composition, { previousManifestKey: key }: RenderJob) {
  const before = key !== undefined && (await hasObject(key)) ? await getJson<Composition>(key) : undefined
  const batches = batchesOf(composition, before, env.renderTasksMax())
  return batches.map(({ from, to }) => ({ ...run, from: String(from), to: String(to) }))
}

/** What is shown and when; undefined where the sound, which may still be that of a clip's source, is not that of the scenes. */
async function timelineOf(workspace: Workspace, video: Video): Promise<Timeline | undefined> {
  if (isPresentation(video)) return presentationTimeline(workspace, video)
  if (!hasScenes(video)) return getTimelines(video, ['captions', 'captionsPages', 'bRolls'])
  const { scenes, ...captions } = await getTimelines(video, ['captions', 'captionsPages', 'scenes'])
  const audioKey = soundtrackKey(contentOwner(workspace, video), scenes, video.brief.voiceId)
  if (video.media.audioKey !== audioKey) return undefined
  const { places } = await getJson<Soundtrack>(narrationFactsKey(audioKey))
  return { ...captions, bRolls: segmentsOf(scenes, places) }
}

/** The slides lie over everything else; the pictures that they name are fetched once for each render. */
async function presentationTimeline(workspace: Workspace, video: Video): Promise<Timeline> {
  const names = ['captions', 'captionsPages', 'bRolls', 'presentationScenes'] as const
  const { presentationScenes: scenes, ...timeline } = await getTimelines(video, names)
  const { presentationLogoUrl = [], presentationIconUrl = [] } = video.config
  const urls = [presentationLogoUrl, presentationIconUrl, picturesWanted(scenes)].flat()
  const pictures = await keepClientPictures({ workspace, videoId: video.id }, urls)
  return { ...timeline, presentation: { scenes, pictures } }
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
