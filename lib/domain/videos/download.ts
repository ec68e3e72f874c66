/** The film of a video, to be fetched: where it is missing, an ai video can be stitched again. */

import { Refusal } from '../core/refusal.ts'
import { isOpen } from '../core/states.ts'
import type { VideoDecision } from '../records/decision.ts'
import type { Video } from '../records/video.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { requestRender } from './jobs.ts'

/**
 * Queues the stitch that a download needs; undefined where the film is there or one is under way already. Refuses where nothing
 * could be stitched, and for other videos, which are rendered when their client asks for it.
 */
export function stitchForDownload(
  workspace: Workspace,
  video: Video,
  runId: string,
  now: string,
): VideoDecision | undefined {
  if (video.media.renderKey) return undefined
  if (video.type !== 'ai') throw new Refusal('warning-source-not-ready', 'Render the video before downloading it.')
  return isOpen(video.render) ? undefined : requestRender(workspace, video, runId, now)
}
