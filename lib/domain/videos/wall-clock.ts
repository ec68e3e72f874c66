/** Jobs take real time, also where their workspace's clock is ahead: only a timetable goes by that. */

import { sweepDelaySeconds } from '../core/pipeline.ts'
import { isOpen } from '../core/states.ts'
import { earliest, secondsAfter } from '../core/time.ts'
import { changedVideos, type RecordChange, type VideoDecision } from '../records/decision.ts'
import type { Video } from '../records/video.ts'

/** The decision with the jobs that it queues waited for from `realNow` on. Nothing changes where it was decided at that time. */
export function withWallClockJobTimes<Decided extends VideoDecision>(decision: Decided, realNow: string): Decided {
  const aheadMs = Date.parse(decision.at) - Date.parse(realNow)
  if (aheadMs <= 0) return decision
  const changes = decision.changes.map((change) => queuedBefore(change, aheadMs, realNow))
  const video = changedVideos({ changes }).find(({ id }) => id === decision.video.id) ?? decision.video
  return { ...decision, changes, video }
}

function queuedBefore(change: RecordChange, aheadMs: number, realNow: string): RecordChange {
  if (change.record !== 'video' || !change.after) return change
  const { before, after } = change
  const later = secondsAfter(realNow, sweepDelaySeconds)
  const isAwaited = [after.process, after.render, after.publish].some(isOpen) && after.dueAt !== null
  const video: Video = {
    ...after,
    process: moved(before?.process, after.process, aheadMs),
    render: moved(before?.render, after.render, aheadMs),
    publish: moved(before?.publish, after.publish, aheadMs),
    dueAt: isAwaited ? earliest(after.dueAt!, later) : after.dueAt,
  }
  return { ...change, after: video }
}

interface Queued {
  /** Null while it only has its slot. */
  queuedAt: string | null
  deadlineAt: string | null
}

/** A job that was queued just now, so much earlier. */
function moved<Job extends Queued>(before: Queued | null | undefined, job: Job | null, aheadMs: number): Job | null {
  if (!job?.queuedAt || job.queuedAt === before?.queuedAt) return job
  const back = (time: string) => secondsAfter(time, -aheadMs / 1000)
  return { ...job, queuedAt: back(job.queuedAt), deadlineAt: job.deadlineAt && back(job.deadlineAt) }
}
