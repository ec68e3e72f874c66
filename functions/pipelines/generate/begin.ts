/** Claims the run: QUEUED to PROCESSING. */
import { changeVideo } from '../../../lib/actions/change-video.ts'
import { runInput, step } from '../../../lib/actions/step.ts'
import { now } from '../../../lib/clock.ts'
import { beginProcess } from '../../../lib/domain/video-jobs.ts'

export const handler = step(runInput, 'script-failed', async (run) => {
  await changeVideo(run, (video) => beginProcess(video, run.runId, now()))
})
