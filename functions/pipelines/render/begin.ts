/** Writes the immutable manifest of what the video shows now, and claims the run with it in one commit. */
import { changeVideo, videoOfOpenRun } from '../../../lib/actions/change-video.ts'
import { runInput, step } from '../../../lib/actions/step.ts'
import { putJson } from '../../../lib/aws/media.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { now } from '../../../lib/clock.ts'
import { artefactKey } from '../../../lib/domain/artefact.ts'
import { JobFailure } from '../../../lib/domain/job.ts'
import { beginRender } from '../../../lib/domain/video-jobs.ts'
import { compose } from '../../../lib/render/compose.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = step(runInput, 'render-failed', async (run) => {
  await videoOfOpenRun(run, 'render')
  const workspace = await getWorkspace(run.workspaceId)
  await changeVideo(run, async (video) => {
    const timelines = await getTimelines(video, ['captions', 'captionsPages', 'bRolls'])
    const composition = composed(() => compose(video, timelines))
    const key = artefactKey(workspace, 'manifests', composition, 'json')
    await putJson(key, composition)
    return beginRender(video, run.runId, key, now())
  })
})

/** What cannot be composed will not be composable in the next attempt either. */
function composed<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError) throw new JobFailure('render-failed', error.message)
    throw error
  }
}
