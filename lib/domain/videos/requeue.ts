/** Queues the generation of a video again: what it shows, and its film, stay until there is something new. */

import type { VideoDecision } from '../records/decision.ts'
import type { ProcessWishes, ProcessWork } from '../records/jobs.ts'
import type { Video } from '../records/video.ts'
import type { Price } from '../workspaces/price.ts'
import { priceOfGeneration } from '../workspaces/price.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { paid, queuedProcess } from './create-video.ts'
import { refuseWithoutIdea } from './idea.ts'
import { refuseOpenJob } from './jobs.ts'
import { changed } from './update-video.ts'

/** Queues a generation from the brief as it is now; an uploaded video is read again. Costs and counts as that of a new video. */
export function requestProcess(
  workspace: Workspace,
  video: Video,
  wishes: ProcessWishes,
  runId: string,
  now: string,
): VideoDecision {
  refuseOpenJob(video)
  if (video.type !== 'video') refuseWithoutIdea(video)
  const price = priceOfGeneration(workspace, video.brief, now)
  const work = video.type === 'video' ? 'ingest' : 'generate'
  return requeued(workspace, video, video, { runId, work, wishes, price }, now)
}

/** The video `after` with a job that is queued and paid for in place of the one that has ended. */
export function requeued(
  workspace: Workspace,
  before: Video,
  after: Video,
  job: { runId: string; work: ProcessWork; wishes: ProcessWishes; price: Price },
  now: string,
): VideoDecision {
  return {
    ...changed(
      before,
      {
        ...after,
        process: queuedProcess({ ...job, purchase: { price: job.price, brief: after.brief } }, now),
        updatedAt: now,
      },
      now,
    ),
    ...paid(workspace, job.runId, job.price),
    starts: [{ pipeline: 'generate', videoId: before.id, runId: job.runId }],
  }
}
