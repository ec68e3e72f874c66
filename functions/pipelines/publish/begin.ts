/** Claims the run if the request has not, and creates the postings. */

import { now } from '../../../lib/clock.ts'
import { beginPublish } from '../../../lib/domain/publishing/publish-run.ts'
import { runInput, step } from '../../../lib/pipelines/step.ts'
import { createPostings } from '../../../lib/use-cases/publishing/create-postings.ts'
import { changeVideo } from '../../../lib/use-cases/videos/change-video.ts'

export const handler = step(runInput, 'publish-failed', async (run) => {
  const video = await changeVideo(run, (before) => beginPublish(before, run.runId, now()))
  return { postings: await createPostings(video) }
})
