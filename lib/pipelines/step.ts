/** The handler of one pipeline step: typed input, and failures under the names that the state machines match. */
import * as v from 'valibot'
import type { JobErrorCode } from '../domain/core/failures.ts'
import {
  AccountExpired,
  InputRejected,
  JobFailure,
  ProviderRejected,
  Superseded,
  toJobError,
} from '../domain/core/failures.ts'
import { isWellFormedId } from '../domain/core/id.ts'
import { syncJobKinds } from '../domain/core/pipeline.ts'
import { Refusal } from '../domain/core/refusal.ts'
import { log, withLogFields } from '../log.ts'
import { loadRunVideo } from '../use-cases/videos/change-video.ts'

/** The input of every step of a run: ids only. */
export const runInput = v.object({ workspaceId: v.string(), videoId: v.string(), runId: v.string() })
export type RunInput = v.InferOutput<typeof runInput>

/** The input of every step of a sync job. */
export const syncJobInput = v.object({ ...runInput.entries, kind: v.picklist(syncJobKinds), target: v.string() })
export type SyncJobInput = v.InferOutput<typeof syncJobInput>

/** A reference to a stored artefact, as steps pass it on. */
export const artefactRef = v.object({ key: v.string() })

/** A failure as the state machine sees it. The message is the JSON of the job's error, for the state `Fail`. */
export class StepFailure extends Error {}

/** Error names in the ASL files. */
const retryableName = 'TryAgain'
const nonRetryableName = 'JobFailed'

/** The Lambda handler of a Task state. `fallback`: the code of the job error where the failure has none. */
export function step<Input extends v.GenericSchema, Output>(
  schema: Input,
  fallback: JobErrorCode,
  run: (input: v.InferOutput<Input>) => Promise<Output>,
) {
  return async (event: unknown): Promise<Output> => {
    const input = v.parse(schema, event)
    return withLogFields(idsOf(event as RunInput), () =>
      rethrowAsStepFailure(() => run(input), fallback, event as RunInput),
    )
  }
}

/** Only the ids: other input may be long. */
const idsOf = ({ workspaceId, videoId, runId }: RunInput): RunInput => ({ workspaceId, videoId, runId })

async function rethrowAsStepFailure<Output>(
  work: () => Promise<Output>,
  fallback: JobErrorCode,
  run: RunInput,
): Promise<Output> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Superseded) throw error
    await logJobFailure('step.failed', error, run)
    const failure = new StepFailure(JSON.stringify(toJobError(error, fallback)))
    failure.name = isNonRetryable(error) ? nonRetryableName : retryableName
    throw failure
  }
}

/**
 * Lines at ERROR are for the operator: what the client caused, or its account, is no fault of the service. A client that deletes
 * a video while it is worked on takes its files away.
 */
export async function logJobFailure(
  event: 'step.failed' | 'task.failed',
  error: unknown,
  run: RunInput,
): Promise<void> {
  const isCausedByClient =
    [Refusal, JobFailure, InputRejected, AccountExpired].some((kind) => error instanceof kind) || (await isDeleted(run))
  log[isCausedByClient ? 'warn' : 'error'](event, { error })
}

/** A table that does not answer proves nothing. */
const isDeleted = async ({ workspaceId, videoId }: RunInput): Promise<boolean> =>
  isWellFormedId('vid', videoId) &&
  loadRunVideo(workspaceId, videoId).then(
    () => false,
    (error) => error instanceof Superseded,
  )

/** A rule or a provider refused: a retry gives the same result. Faults may be temporary. */
export const isNonRetryable = (error: unknown) =>
  error instanceof Refusal ||
  error instanceof JobFailure ||
  error instanceof ProviderRejected ||
  error instanceof AccountExpired
