/** Fails a generation with its reason; the reserved credits are released. */
import * as v from 'valibot'
import { failureCodeAfter } from '../../../lib/domain/generation/failure-stage.ts'
import { processKinds } from '../../../lib/domain/records/jobs.ts'
import { failRun, failRunInput } from '../../../lib/pipelines/fail-run.ts'

const stepOutput = v.optional(v.unknown())

/** The outputs of the steps before the failed one. */
const input = v.object({
  ...failRunInput.entries,
  begun: v.optional(v.object({ work: v.picklist(processKinds), type: v.string() })),
  script: stepOutput,
  scenes: stepOutput,
  narration: stepOutput,
  visuals: stepOutput,
})

export const handler = (event: unknown) => {
  const { begun, script, scenes, narration, visuals, ...failure } = v.parse(input, event)
  return failRun(failure, 'process', failureCodeAfter({ begun, script, scenes, narration, visuals }))
}
