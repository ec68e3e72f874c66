/** Fails a run with the error that its state machine caught. */
import * as v from 'valibot'
import { now } from '../clock.ts'
import type { JobError, JobErrorCode } from '../domain/core/failures.ts'
import { ProviderBusy, timeoutError, toJobError } from '../domain/core/failures.ts'
import type { MediaJobKind } from '../domain/records/jobs.ts'
import { failJob } from '../domain/videos/job-transitions.ts'
import { withLogFields } from '../log.ts'
import { failOpenSyncJob } from '../use-cases/sync-jobs/complete-sync-job.ts'
import { changeVideo } from '../use-cases/videos/change-video.ts'
import { exitCodes } from './exit-codes.ts'
import { runInput, syncJobInput } from './step.ts'

export const failRunInput = v.object({
  ...runInput.entries,
  error: v.object({ Error: v.string(), Cause: v.optional(v.string(), '') }),
})

export const failSyncJobInput = v.object({ ...syncJobInput.entries, error: failRunInput.entries.error })

/** Fails the job with the error of the step, or with one derived from how the step ended. */
export async function failRun(
  { error, ...run }: v.InferOutput<typeof failRunInput>,
  kind: MediaJobKind,
  fallback: JobErrorCode,
): Promise<void> {
  await withLogFields(run, () =>
    changeVideo(run, (video) => failJob(video, kind, run.runId, jobErrorFromCause(error, fallback), now())),
  )
}

const lambdaError = v.object({ errorMessage: v.string() })
const reason = v.object({ code: v.string(), message: v.string(), blocked: v.boolean(), action: v.optional(v.string()) })

/** The same for a sync job. */
export async function failSyncJobRun(
  { error, runId, ...jobKey }: v.InferOutput<typeof failSyncJobInput>,
  fallback: JobErrorCode,
): Promise<void> {
  const { workspaceId, videoId } = jobKey
  await withLogFields({ workspaceId, videoId, runId }, () =>
    failOpenSyncJob(jobKey, runId, jobErrorFromCause(error, fallback)),
  )
}

/**
 * The `Cause` of a task that ECS reports as ended:
 * https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_Task.html.
 */
const endedTask = v.object({ Containers: v.array(v.object({ ExitCode: v.optional(v.number()) })) })

/** Error names of a state that timed out, or a function that was killed by its timeout. */
const timeouts = ['States.Timeout', 'Sandbox.Timedout']

/** Maps what a state machine caught to the error of a job. */
export function jobErrorFromCause(
  { Error: name, Cause: cause }: { Error: string; Cause: string },
  fallback: JobErrorCode,
): JobError {
  if (timeouts.includes(name)) return timeoutError
  const task = v.safeParse(v.pipe(v.string(), v.parseJson(), endedTask), cause)
  if (task.success && task.output.Containers.some(({ ExitCode }) => ExitCode === exitCodes.providerBusy))
    return toJobError(new ProviderBusy(), fallback)
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), lambdaError), cause)
  const given = v.safeParse(v.pipe(v.string(), v.parseJson(), reason), parsed.success ? parsed.output.errorMessage : '')
  return given.success ? (given.output as JobError) : toJobError(undefined, fallback)
}
