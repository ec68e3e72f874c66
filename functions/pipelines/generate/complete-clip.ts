/** Completes a clip that shows what its source shows: nothing is made, the record has all of it already. */

import { now } from '../../../lib/clock.ts'
import { completeClip } from '../../../lib/domain/videos/clip.ts'
import { runInput, step } from '../../../lib/pipelines/step.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'

export const handler = step(runInput, 'visuals-failed', async (run) => {
  const workspace = await getWorkspace(run.workspaceId)
  await changeVideo(run, (video) => completeClip(workspace, video, run.runId, now()))
})
