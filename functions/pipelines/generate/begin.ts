/** Claims the run: QUEUED to PROCESSING. Returns the kind of work and the type of the video to the state machine. */

import { now } from '../../../lib/clock.ts'
import { beginProcess } from '../../../lib/domain/videos/job-transitions.ts'
import { runInput, step } from '../../../lib/pipelines/step.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'

export const handler = step(runInput, 'script-failed', async (run) => {
  const { type, process } = await changeVideo(run, (video) => beginProcess(video, run.runId, now()))
  return { type, work: process!.work }
})
