/**
 * Synchronous actions: claimed and paid for in one commit, worked on by a run of their own, settled in another (`settle.ts`). The request
 * waits for its run; one that cannot wait any longer is told to come again, while the work goes on.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { startPipeline } from '../../aws/pipelines.ts'
import { now } from '../../clock.ts'
import type { JobError } from '../../domain/core/failures.ts'
import { mintId } from '../../domain/core/id.ts'
import { Refusal, refusalCodes } from '../../domain/core/refusal.ts'
import type { SyncJob } from '../../domain/records/sync-job.ts'
import type { Video } from '../../domain/records/video.ts'
import type { SyncJobClaim } from '../../domain/videos/sync-job.ts'
import { claimSyncJob, isReplayable, syncJobResponse, syncWaitSecondsMax } from '../../domain/videos/sync-job.ts'
import type { Price } from '../../domain/workspaces/price.ts'
import type { Workspace } from '../../domain/workspaces/workspace.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import { findSyncJob } from '../../store/sync-jobs.ts'
import { getVideo } from '../../store/videos.ts'
import { getWorkspace } from '../../store/workspaces.ts'

export const syncWaitMsMax = syncWaitSecondsMax * 1_000
const pollMs = { first: 40, growth: 1.3, last: 500 }

/** What a route asks for: the action, and what its rules say of the video and the price. */
export interface SyncJobRequest extends SyncJobClaim {
  workspaceId: string
  videoId: string
  /** Refuses where the video cannot have this done; before anything is paid. */
  check: (video: Video) => void | Promise<void>
  price: (workspace: Workspace, video: Video, now: string) => Price | Promise<Price>
}

/** Performs an action, or joins the same one that is under way, and gives its answer. */
export async function runSyncJob<Answer>(request: SyncJobRequest): Promise<Answer> {
  const until = Date.parse(now()) + syncWaitMsMax
  const run = await claim(request)
  return (await awaitSyncJob(run, until)) as Answer
}

async function claim({ check, price, workspaceId, videoId, ...input }: SyncJobRequest): Promise<SyncJob> {
  const arrivedAt = now()
  return retryOnConflict(async () => {
    const at = now()
    const [workspace, video, newest] = await Promise.all([
      getWorkspace(workspaceId),
      getVideo(workspaceId, videoId),
      findSyncJob({ workspaceId, videoId, kind: input.kind, target: input.target }),
    ])
    await check(video)
    // What was paid is not priced again: there may be no credits left.
    const isPaid = newest && (newest.status === 'RUNNING' || isReplayable(newest, input, { arrivedAt, now: at }))
    const cost = isPaid ? undefined : await price(workspace, video, at)
    const { run, decision } = claimSyncJob(workspace, video, newest, input, cost, mintId('run', at), {
      arrivedAt,
      now: at,
    })
    if (!decision) return run
    await commit(decision)
    // The outbox row would wake the dispatcher, which would do the same a moment later.
    for (const start of decision.starts) await startPipeline(workspaceId, start)
    return run
  })
}

async function awaitSyncJob(run: SyncJob, until: number): Promise<unknown> {
  for (let pause: number = pollMs.first; ; pause = Math.min(pause * pollMs.growth, pollMs.last)) {
    const newest = await findSyncJob(run)
    // The row is gone where the video was removed meanwhile.
    if (!newest) throw new Refusal('not-found', 'No such record.')
    // Another run may have begun between the end of this one and our look.
    const outcome = [newest, newest.previous].find((one) => one?.runId === run.runId)
    if (outcome?.status === 'COMPLETED') return syncJobResponse(outcome)
    if (outcome?.status === 'FAILED') throw refusalFromJobError(outcome.error!)
    if (!outcome || Date.parse(now()) >= until)
      throw new Refusal('unavailable', 'This takes longer than a request may; the work goes on. Ask again.', {
        headers: { 'Retry-After': '5' },
      })
    await delay(pause)
  }
}

/** A rule that refused while the work was done refuses the request; any other failure may pass. */
export function refusalFromJobError({ code, message, action }: JobError): Refusal {
  const known = refusalCodes.find((name) => name === code)
  if (known) return new Refusal(known, message, action ? { action } : {})
  return new Refusal('unavailable', message, { headers: { 'Retry-After': '5' } })
}
