/** Ends the run with how each posting ended; one that was left behind is closed as what is known of it. */
import { closePublish } from '../../../lib/actions/close-publish.ts'
import { runInput, step } from '../../../lib/actions/step.ts'
import { jobError } from '../../../lib/domain/job.ts'

export const handler = step(runInput, 'publish-failed', (run) =>
  closePublish(run, jobError(undefined, 'publish-failed')),
)
