/** One step of a pipeline: typed input, and failures under the names that the state machines match on. */
import * as v from 'valibot'
import type { JobErrorCode } from '../domain/core/failures.ts'
import { AccountExpired, JobFailure, ProviderRejected, Superseded, toJobError } from '../domain/core/failures.ts'
import { syncJobKinds } from '../domain/core/pipeline.ts'
import { Refusal } from '../domain/core/refusal.ts'
import { log, withLogFields } from '../log.ts'

/** What every step of a run is told: ids only. */
export const runInput = v.object({ workspaceId: v.string(), videoId: v.string(), runId: v.string() })
export type RunInput = v.InferOutput<typeof runInput>

/** What a step of a synchronous action is told. */
export const syncJobInput = v.object({ ...runInput.entries, kind: v.picklist(syncJobKinds), target: v.string() })
export type SyncJobInput = v.InferOutput<typeof syncJobInput>

/** The input of a step that continues from stored artefacts: their places in storage. */
export const artefactRef = v.object({ key: v.string() })

/** A failure as the state machine sees it. The message is the JSON of the job's error, so that `Fail` need not guess. */
export class StepFailure extends Error {}

/** Names in the ASL files: retried there, or not. */
const retried = 'TryAgain'
const final = 'JobFailed'

/** The Lambda handler of a Task state. `fallback` is the job error when nothing better is known. */
export function step<Input extends v.GenericSchema, Output>(
  schema: Input,
  fallback: JobErrorCode,
  run: (input: v.InferOutput<Input>) => Promise<Output>,
) {
  return async (event: unknown): Promise<Output> => {
    const input = v.parse(schema, event)
    return withLogFields(idsOf(event as RunInput), () => rethrowAsStepFailure(() => run(input), fallback))
  }
}

/** What a run is told of besides may be long. */
const idsOf = ({ workspaceId, videoId, runId }: RunInput): RunInput => ({ workspaceId, videoId, runId })

async function rethrowAsStepFailure<Output>(run: () => Promise<Output>, fallback: JobErrorCode): Promise<Output> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Superseded) throw error
    log.error('step.failed', { error })
    const failure = new StepFailure(JSON.stringify(toJobError(error, fallback)))
    failure.name = isNonRetryable(error) ? final : retried
    throw failure
  }
}

/** A rule or a provider said no: asking again gives the same answer. Faults may pass. */
export const isNonRetryable = (error: unknown) =>
  error instanceof Refusal ||
  error instanceof JobFailure ||
  error instanceof ProviderRejected ||
  error instanceof AccountExpired
