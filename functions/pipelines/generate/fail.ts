/** Ends a generation that a step could not finish: the reason is told, the reserved credits are released. */
import * as v from 'valibot'
import { failInput, failRun } from '../../../lib/actions/fail-run.ts'
import { artefact } from '../../../lib/actions/step.ts'
import type { JobErrorCode } from '../../../lib/domain/job.ts'

/** What the steps before the failed one left. */
const input = v.object({ ...failInput.entries, script: v.optional(artefact), narration: v.optional(artefact) })

export const handler = (event: unknown) => {
  const { script, narration, ...failure } = v.parse(input, event)
  return failRun(failure, 'process', stageAfter(script, narration))
}

/** A step that died without a word is known by what is missing. */
function stageAfter(script: unknown, narration: unknown): JobErrorCode {
  if (!script) return 'script-failed'
  return narration ? 'visuals-failed' : 'voice-failed'
}
