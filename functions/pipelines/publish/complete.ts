/** Ends the run with how each posting ended; one that was left behind is closed as what is known of it. */

import { toJobError } from '../../../lib/domain/core/failures.ts'
import { runInput, step } from '../../../lib/pipelines/step.ts'
import { finishPublish } from '../../../lib/use-cases/publishing/finish-publish.ts'

export const handler = step(runInput, 'publish-failed', (run) =>
  finishPublish(run, toJobError(undefined, 'publish-failed')),
)
