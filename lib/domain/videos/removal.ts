/** The removal of videos: the records go at once, what they hold is purged afterwards. */

import type { AutomationWakeUp, Purge } from '../core/outbox.ts'
import type { Decision, VideoUsage } from '../records/decision.ts'
import type { Video } from '../records/video.ts'
import { chargesOf, openJobsOf, pipelineOf } from './jobs.ts'

export interface VideoRemoval {
  video: Video
  holdings: VideoUsage
}

/**
 * Removes videos in one decision: their bytes go back to the quota, what was reserved for open generations is released, and
 * what is left of them is purged. `parentIsGone` tells that the sources of these clips were removed before.
 */
export function removeVideos(
  workspaceId: string,
  removed: readonly VideoRemoval[],
  parentIsGone: boolean,
  now: string,
): Decision {
  return {
    workspaceId,
    at: now,
    changes: removed.map(({ video, holdings }) => ({
      record: 'video',
      before: video,
      after: undefined,
      holdings,
      parentIsGone,
    })),
    charges: removed.flatMap(({ video }) =>
      openJobsOf(video).flatMap((open) => (open.kind === 'process' ? chargesOf('release', open.job) : [])),
    ),
    events: [],
    starts: [],
    purges: removed.map(purgeOf),
    wakeUps: parentIsGone ? [] : removed.flatMap(({ video }) => nudgesOf(video)),
  }
}

/** The automation that waits for a clip makes another one. */
const nudgesOf = ({ id, parentVideoId, run }: Video): AutomationWakeUp[] =>
  parentVideoId && run && !run.isOver ? [{ automationId: parentVideoId, clipId: null, cause: `${id}#removed` }] : []

function purgeOf({ video, holdings }: VideoRemoval): Purge {
  const runs = openJobsOf(video).map(({ kind, job }) => ({ pipeline: pipelineOf[kind], runId: job.runId }))
  return { videoId: video.id, clips: holdings.clips, runs }
}
