/** What a task of the container is given. */

import type { SyncJob } from '../../lib/domain/records/sync-job.ts'
import type { Video } from '../../lib/domain/records/video.ts'
import type { RunInput, SyncJobInput } from '../../lib/pipelines/step.ts'

export interface TaskContext {
  /** Scratch space of this task alone. */
  directory: string
  /** Aborted when the task is told to stop. */
  signal: AbortSignal
}

/** Work for a job of a video. */
export interface JobTask extends TaskContext {
  run: RunInput
  /** The record as it was when this task began, as the one worker of the run where it claimed it. */
  video: Video
  /** What comes after the ids on the command line. */
  rest: string[]
}

/** Work for a synchronous action. */
export interface SyncJobTask extends TaskContext {
  input: SyncJobInput
  /** The run, of which this task became the one worker. */
  job: SyncJob
}
