/**
 * Queues another generation of a video; its current content and render stay until the new ones are complete. Called by
 * the process route, and by script jobs.
 */

import type { VideoDecision } from '../records/decision.ts'
import type { ProcessKind, ProcessOptions } from '../records/jobs.ts'
import type { Video } from '../records/video.ts'
import type { Price } from '../workspaces/price.ts'
import { priceOfGeneration } from '../workspaces/price.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { queuedProcess, reserveGeneration } from './create-video.ts'
import { refuseWithoutIdea } from './idea.ts'
import { refuseOpenJob } from './job-transitions.ts'
import { updateVideo } from './update-video.ts'

/** Queues a generation from the current brief, or a new ingest of an uploaded video. Costs and counts like a new video. */
export function requestProcess(
  workspace: Workspace,
  video: Video,
  wishes: ProcessOptions,
  runId: string,
  now: string,
): VideoDecision {
  refuseOpenJob(video)
  if (video.type !== 'video') refuseWithoutIdea(video)
  const price = priceOfGeneration(workspace, video.brief, now)
  const work = video.type === 'video' ? 'ingest' : 'generate'
  return requeueProcess(workspace, video, video, { runId, work, wishes, price }, now)
}

/** Replaces the ended job with a queued one and reserves its credits. */
export function requeueProcess(
  workspace: Workspace,
  before: Video,
  after: Video,
  job: { runId: string; work: ProcessKind; wishes: ProcessOptions; price: Price },
  now: string,
): VideoDecision {
  return {
    ...updateVideo(
      before,
      {
        ...after,
        process: queuedProcess({ ...job, purchase: { price: job.price, brief: after.brief } }, now),
        updatedAt: now,
      },
      now,
    ),
    ...reserveGeneration(workspace, job.runId, job.price),
    starts: [{ pipeline: 'generate', videoId: before.id, runId: job.runId }],
  }
}
