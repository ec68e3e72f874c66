/**
 * Converts the times of a decision under a test clock: a schedule follows the clock of the workspace, jobs follow the
 * wall clock. Called where an automation is created, edited, triggered or reconciled.
 */

import { sweepDelaySeconds } from '../core/pipeline.ts'
import { isOpen } from '../core/states.ts'
import { earliest, secondsAfter } from '../core/time.ts'
import { changedVideos, type RecordChange, type VideoDecision } from '../records/decision.ts'
import type { Video } from '../records/video.ts'
import { type Workspace, workspaceNow } from './workspace.ts'

/**
 * Runs `decide` at the time of the test clock of the workspace, which may be ahead, and shifts the times of the jobs that it
 * queues back to the wall clock. The only place that converts between the two clocks for a decision.
 */
export function decideForWorkspace<Decided extends VideoDecision | undefined>(
  workspace: Workspace,
  realNow: string,
  decide: (workspaceTime: string) => Decided,
): Decided {
  const decision = decide(workspaceNow(workspace, realNow))
  return decision ? withWallClockJobTimes(decision, realNow) : decision
}

/** Unchanged where the decision was made at `realNow`. */
function withWallClockJobTimes<Decided extends VideoDecision>(decision: Decided, realNow: string): Decided {
  const aheadMs = Date.parse(decision.at) - Date.parse(realNow)
  if (aheadMs <= 0) return decision
  const changes = decision.changes.map((change) => shiftQueuedJobs(change, aheadMs, realNow))
  const video = changedVideos({ changes }).find(({ id }) => id === decision.video.id) ?? decision.video
  return { ...decision, changes, video }
}

function shiftQueuedJobs(change: RecordChange, aheadMs: number, realNow: string): RecordChange {
  if (change.record !== 'video' || !change.after) return change
  const { before, after } = change
  const later = secondsAfter(realNow, sweepDelaySeconds)
  const isAwaited = [after.process, after.render, after.publish].some(isOpen) && after.dueAt !== null
  const video: Video = {
    ...after,
    process: shifted(before?.process, after.process, aheadMs),
    render: shifted(before?.render, after.render, aheadMs),
    publish: shifted(before?.publish, after.publish, aheadMs),
    dueAt: isAwaited ? earliest(after.dueAt!, later) : after.dueAt,
  }
  return { ...change, after: video }
}

interface Queued {
  /** Null while scheduled. */
  queuedAt: string | null
  deadlineAt: string | null
}

/** Moves a job that this decision queued back by `aheadMs`; any other job is unchanged. */
function shifted<Job extends Queued>(before: Queued | null | undefined, job: Job | null, aheadMs: number): Job | null {
  if (!job?.queuedAt || job.queuedAt === before?.queuedAt) return job
  const back = (time: string) => secondsAfter(time, -aheadMs / 1000)
  return { ...job, queuedAt: back(job.queuedAt), deadlineAt: job.deadlineAt && back(job.deadlineAt) }
}
