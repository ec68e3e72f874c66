/** Ends a generation that a step could not finish: the reason is told, the reserved credits are released. */
import * as v from 'valibot'
import { failureAfter } from '../../../lib/domain/generation/failure-stage.ts'
import { processWorks } from '../../../lib/domain/records/jobs.ts'
import { failInput, failRun } from '../../../lib/pipelines/fail-run.ts'

const left = v.optional(v.unknown())

/** What the steps before the failed one left. */
const input = v.object({
  ...failInput.entries,
  begun: v.optional(v.object({ work: v.picklist(processWorks), type: v.string() })),
  script: left,
  scenes: left,
  narration: left,
  visuals: left,
})

export const handler = (event: unknown) => {
  const { begun, script, scenes, narration, visuals, ...failure } = v.parse(input, event)
  return failRun(failure, 'process', failureAfter({ begun, script, scenes, narration, visuals }))
}
