/** Ends the run with the outcome of each posting; an open posting is ended first. */

import { toJobError } from '../../../lib/domain/core/failures.ts'
import { runInput, step } from '../../../lib/pipelines/step.ts'
import { finishPublish } from '../../../lib/use-cases/publishing/finish-publish.ts'

export const handler = step(runInput, 'publish-failed', (run) =>
  finishPublish(run, toJobError(undefined, 'publish-failed')),
)
