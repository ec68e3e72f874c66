/** The removal of videos: the records go at once, what they hold is purged afterwards. */
import type { Decision, Holdings, Purge } from './decision.ts'
import type { Video } from './video.ts'
import { chargesOf, openJobOf } from './video-jobs.ts'

export interface Removed {
  video: Video
  holdings: Holdings
}

const pipelineOf = { process: 'generate', render: 'render' } as const

/**
 * Removes videos in one decision: their bytes go back to the quota, what was reserved for open generations is released, and
 * what is left of them is purged. `parentIsGone` tells that the sources of these clips were removed before.
 */
export function removeVideos(
  workspaceId: string,
  removed: readonly Removed[],
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
    charges: removed.flatMap(({ video }) => {
      const open = openJobOf(video)
      return open?.kind === 'process' ? chargesOf('release', open.job) : []
    }),
    events: [],
    starts: [],
    purges: removed.map(purgeOf),
  }
}

function purgeOf({ video, holdings }: Removed): Purge {
  const open = openJobOf(video)
  const runs = open ? [{ pipeline: pipelineOf[open.kind], runId: open.job.runId }] : []
  return { videoId: video.id, clips: holdings.clips, runs }
}
