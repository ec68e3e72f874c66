/** Claims the run: QUEUED to PROCESSING. Tells the state machine what this run does, and for what type of video. */
import { changeVideo } from '../../../lib/actions/change-video.ts'
import { runInput, step } from '../../../lib/actions/step.ts'
import { now } from '../../../lib/clock.ts'
import { beginProcess } from '../../../lib/domain/video-jobs.ts'

export const handler = step(runInput, 'script-failed', async (run) => {
  const { type, process } = await changeVideo(run, (video) => beginProcess(video, run.runId, now()))
  return { type, work: process!.work }
})
