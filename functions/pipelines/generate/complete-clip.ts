/** Completes a clip that shows what its source shows: nothing is made, all of it is on the record already. */
import { changeVideo } from '../../../lib/actions/change-video.ts'
import { runInput, step } from '../../../lib/actions/step.ts'
import { now } from '../../../lib/clock.ts'
import { completeClip } from '../../../lib/domain/clip.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'

export const handler = step(runInput, 'visuals-failed', async (run) => {
  const workspace = await getWorkspace(run.workspaceId)
  await changeVideo(run, (video) => completeClip(workspace, video, run.runId, now()))
})
