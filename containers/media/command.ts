/**
 * The kinds of commands that `main.ts` lists: how a task claims its run, loads the code of its work, and records a
 * permanent failure. Each command's modules are loaded when it starts, because loading them all would dominate the time
 * of a short task.
 */
import * as v from 'valibot'
import { now } from '../../lib/clock.ts'
import type { JobErrorCode } from '../../lib/domain/core/failures.ts'
import { toJobError } from '../../lib/domain/core/failures.ts'
import type { MediaJobKind } from '../../lib/domain/records/jobs.ts'
import { withPaidTerms } from '../../lib/domain/videos/create-video.ts'
import { failJob, requireAttempt, requireOpenJob } from '../../lib/domain/videos/job-transitions.ts'
import { type RunInput, syncJobInput } from '../../lib/pipelines/step.ts'
import { claimSyncJobAttempt } from '../../lib/store/sync-jobs.ts'
import { claimAttempt } from '../../lib/store/videos.ts'
import { failSyncJobAttempt } from '../../lib/use-cases/sync-jobs/complete-sync-job.ts'
import { changeVideo, loadOpenRunVideo } from '../../lib/use-cases/videos/change-video.ts'
import type { JobTask, SyncJobTask, TaskContext } from './task.ts'

export interface Command {
  /** Throws `Superseded` when the run is no longer open. */
  claim: (run: RunInput, rest: string[]) => Promise<ClaimedRun>
  /** Imports the modules of the work. */
  load: () => Promise<unknown>
}

interface ClaimedRun {
  /** The result, if any, is the response of the function. */
  work: (context: TaskContext) => Promise<unknown>
  /** Records a permanent failure. */
  fail: (error: unknown) => Promise<void>
}

type Load<Task> = () => Promise<(task: Task) => Promise<void>>

/**
 * For checks of the deployment: `-` takes the place of the ids of workspace and video. Any failure ends the process with an
 * error.
 */
export const checkCommand = (
  load: () => Promise<(context: TaskContext, run: { runId: string }, rest: string[]) => Promise<unknown>>,
): Command => ({
  load,
  claim: async (run, rest) => ({
    work: async (context) => (await load())(context, run, rest),
    fail: (error) => Promise.reject(error),
  }),
})

/**
 * Claims an attempt of the job; a failure of the newest attempt ends the run. `fallback`: code of an error that has none.
 * `status`: of the job during this work, which for a render may come before the run begins.
 */
export const claimedJobCommand = (
  kind: MediaJobKind,
  fallback: JobErrorCode,
  load: Load<JobTask>,
  status: 'QUEUED' | 'PROCESSING' = 'PROCESSING',
): Command => ({
  load,
  claim: async (run, rest) => {
    const claimed = await claimAttempt(run.workspaceId, run.videoId, kind, run.runId, status)
    const video = kind === 'process' ? withPaidTerms(claimed) : claimed
    const { attempt } = claimed[kind]!
    return {
      work: async (context) => (await load())({ ...context, run, video, rest }),
      fail: async (error) => {
        await changeVideo(run, (current) => {
          requireAttempt(requireOpenJob(current, kind, run.runId), attempt)
          return failJob(current, kind, run.runId, toJobError(error, fallback), now())
        })
      },
    }
  },
})

/** For optional work before the attempt that completes the run. Claims no attempt; its failure does not end the run. */
export const bestEffortJobCommand = (kind: MediaJobKind, load: Load<JobTask>): Command => ({
  load,
  claim: async (run, rest) => {
    const video = await loadOpenRunVideo(run, kind)
    return { work: async (context) => (await load())({ ...context, run, video, rest }), fail: async () => {} }
  },
})

/** Claims an attempt of a synchronous job, whose kind and target are the first arguments after the ids. */
export const syncJobCommand = (fallback: JobErrorCode, load: Load<SyncJobTask>): Command => ({
  load,
  claim: async (run, [kind, target]) => {
    const input = v.parse(syncJobInput, { ...run, kind, target })
    const job = await claimSyncJobAttempt(input, run.runId)
    return {
      work: async (context) => (await load())({ ...context, job }),
      fail: (error) => failSyncJobAttempt(job, toJobError(error, fallback)),
    }
  },
})
