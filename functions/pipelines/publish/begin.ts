/** Claims the run, and begins a posting for each account. */
import { beginPostings } from '../../../lib/actions/begin-postings.ts'
import { changeVideo } from '../../../lib/actions/change-video.ts'
import { runInput, step } from '../../../lib/actions/step.ts'
import { now } from '../../../lib/clock.ts'
import { beginPublish } from '../../../lib/domain/publish-run.ts'

export const handler = step(runInput, 'publish-failed', async (run) => {
  const video = await changeVideo(run, (before) => beginPublish(before, run.runId, now()))
  return { postings: await beginPostings(video) }
})
