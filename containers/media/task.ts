/** What a task of the container receives. */

import type { SyncJob } from '../../lib/domain/records/sync-job.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import type { RunInput } from '../../lib/pipelines/step.ts'

export interface TaskContext {
  /** Scratch directory of this task. It exists and is deleted when the task ends. */
  directory: string
  /** Aborted when the worker has to end: on SIGTERM, or near the time limit of a function. */
  signal: AbortSignal
}

/** Work for a job of a video. */
export interface JobTask extends TaskContext {
  run: RunInput
  /** The record at the start of the task, after the attempt was claimed where the command claims one. */
  video: Video
  /** The arguments after the ids on the command line. */
  rest: string[]
}

/** Work for a synchronous job. */
export interface SyncJobTask extends TaskContext {
  /** The job, whose attempt this task has claimed. */
  job: SyncJob
}
