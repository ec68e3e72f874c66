/** Ends a run badly from what a state machine caught. */
import * as v from 'valibot'
import { now } from '../clock.ts'
import type { JobError, JobErrorCode } from '../domain/core/failures.ts'
import { ProviderBusy, timeoutError, toJobError } from '../domain/core/failures.ts'
import type { JobKind } from '../domain/records/jobs.ts'
import { failJob } from '../domain/videos/jobs.ts'
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

/** Fails the job with the reason that the step gave, or with what its way of dying says. */
export async function failRun(
  { error, ...run }: v.InferOutput<typeof failRunInput>,
  kind: JobKind,
  fallback: JobErrorCode,
): Promise<void> {
  await withLogFields(run, () =>
    changeVideo(run, (video) => failJob(video, kind, run.runId, jobErrorFromCause(error, fallback), now())),
  )
}

const lambdaError = v.object({ errorMessage: v.string() })
const reason = v.object({ code: v.string(), message: v.string(), blocked: v.boolean(), action: v.optional(v.string()) })

/** Ends a synchronous action the same way. */
export async function failSyncJobRun(
  { error, runId, ...place }: v.InferOutput<typeof failSyncJobInput>,
  fallback: JobErrorCode,
): Promise<void> {
  const { workspaceId, videoId } = place
  await withLogFields({ workspaceId, videoId, runId }, () =>
    failOpenSyncJob(place, runId, jobErrorFromCause(error, fallback)),
  )
}

/** What ECS tells of a task that ended: https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_Task.html. */
const endedTask = v.object({ Containers: v.array(v.object({ ExitCode: v.optional(v.number()) })) })

/** A state that took longer than it may, or a function that was ended for that: neither could say why. */
const timeouts = ['States.Timeout', 'Sandbox.Timedout']

/** Why a state machine gave up, as the error of a job. */
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
