/**
 * The progress of a running job from what its workers have reported. Their reports are stored apart from the record
 * (`lib/store/progress.ts`), which has the value of the start and of the end. Pure.
 */
import type { PaidStep, ProcessJob, RenderJob } from '../records/jobs.ts'

/** The reports of the workers of one run; each value only increases. */
export interface ReportedProgress {
  /** Of the worker that completes the run. */
  progress?: number
  statusText?: string
  /** How many batches of segments are rendered in parallel. */
  batches?: number
  /** Percent of each batch that has reported. */
  batchPercents: readonly number[]
  /** The paid steps that have ended. */
  paidSteps?: readonly PaidStep[]
}

/** The percentage of a render that its batches can reach. The rest is for the worker that joins them. */
const beforeJoinMax = 90

/** The batches are of about equal cost, so that each counts the same. */
function batchProgress({ batches, batchPercents }: ReportedProgress): number {
  if (!batches) return 0
  const sum = batchPercents.reduce((total, percent) => total + percent, 0)
  return Math.min(beforeJoinMax, Math.floor((beforeJoinMax * sum) / (100 * batches)))
}

/** The job with the highest value that was reported, and the steps that were paid for. */
export function withReported<Job extends ProcessJob | RenderJob>(job: Job, reported: ReportedProgress): Job {
  const progress = Math.max(job.progress, reported.progress ?? 0, batchProgress(reported))
  const { statusText, paidSteps } = reported
  const ofProcess = { ...(statusText !== undefined && { statusText }), ...(paidSteps && { paidSteps }) }
  return { ...job, progress, ...('statusText' in job && ofProcess) }
}
