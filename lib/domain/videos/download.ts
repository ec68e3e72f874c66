/** Queues the render that a download of an ai video needs. Called by `ensure-render.ts` for the download route. */

import { Refusal } from '../core/refusal.ts'
import { isOpen } from '../core/states.ts'
import type { VideoDecision } from '../records/decision.ts'
import type { Video } from '../records/video.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { requestRender } from './job-transitions.ts'

/**
 * Queues the render that a download needs; undefined if it exists or is in progress. Refuses if there is nothing to render,
 * and for other types of video, which are rendered on request only.
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
