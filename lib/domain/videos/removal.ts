/**
 * Removes videos: the records at once, their objects and runs by a purge from the outbox. Called by `remove-videos.ts`.
 */

import type { AutomationWakeUp, Purge } from '../core/outbox.ts'
import { type Decision, newDecision, type RecordChange, type VideoUsage } from '../records/decision.ts'
import type { Video } from '../records/video.ts'
import { chargesOfRemoved, openJobsOf, pipelineOf } from './job-transitions.ts'

export interface VideoRemoval {
  video: Video
  holdings: VideoUsage
}

/**
 * Removes videos in one decision: returns their bytes to the quota, settles reserved credits, queues purges.
 * `parentIsGone`: these are clips whose sources were removed before.
 */
export function removeVideos(
  workspaceId: string,
  removed: readonly VideoRemoval[],
  parentIsGone: boolean,
  now: string,
): Decision {
  const changes = removed.map(
    ({ video, holdings }): RecordChange => ({
      record: 'video',
      before: video,
      after: undefined,
      holdings,
      parentIsGone,
    }),
  )
  return {
    ...newDecision(workspaceId, changes, now),
    charges: removed.flatMap(({ video }) =>
      openJobsOf(video).flatMap((open) => (open.kind === 'process' ? chargesOfRemoved(open.job) : [])),
    ),
    purges: removed.map(purgeOf),
    automationWakeUps: parentIsGone ? [] : removed.flatMap(({ video }) => removalWakeUps(video)),
  }
}

/** Wakes the automation that waits for a removed clip, so that it makes another one. */
const removalWakeUps = ({ id, parentVideoId, run }: Video): AutomationWakeUp[] =>
  parentVideoId && run && !run.isOver ? [{ automationId: parentVideoId, clipId: null, cause: `${id}#removed` }] : []

function purgeOf({ video, holdings }: VideoRemoval): Purge {
  const runs = openJobsOf(video).map(({ kind, job }) => ({ pipeline: pipelineOf[kind], runId: job.runId }))
  return { videoId: video.id, clips: holdings.clips, runs }
}
