/** The job that writes a new script into the brief. Narration, captions and render stay as they are. */

import { Refusal } from '../core/refusal.ts'
import type { VideoDecision } from '../records/decision.ts'
import type { Video } from '../records/video.ts'
import { refuseWithoutIdea } from '../videos/idea.ts'
import { chargesOf, refuseOpenJob, requireRunningJob } from '../videos/job-transitions.ts'
import { requeueProcess } from '../videos/requeue.ts'
import { updateVideo } from '../videos/update-video.ts'
import { creditPrices } from '../workspaces/plan.ts'
import { priceOf, refuseFullStorage, refuseGenerations } from '../workspaces/price.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** Queues a new script. A prompt is stored as the brief's `scriptPrompt`, and also used for later variations. */
export function requestScript(
  workspace: Workspace,
  video: Video,
  prompt: string | null,
  runId: string,
  now: string,
): VideoDecision {
  if (video.type === 'video') throw new Refusal('warning-invalid-input', 'An uploaded video has no script to write.')
  refuseOpenJob(video)
  refuseWithoutIdea(video)
  const price = priceOf(workspace, creditPrices.script, 'video', now)
  refuseGenerations(workspace, now)
  refuseFullStorage(workspace)
  const brief = prompt === null ? video.brief : { ...video.brief, scriptPrompt: prompt }
  // Preserves the options of the last generation, which decide whether the video has captions.
  const wishes = { transcribe: true, addBRolls: true, ...video.process?.wishes, render: false }
  return requeueProcess(workspace, video, { ...video, brief }, { runId, work: 'script', wishes, price }, now)
}

/**
 * Stores the script in the brief for the next generation, which narrates it word for word. Publishes no event: there is
 * nothing new to render yet.
 */
export function completeScript(
  video: Video,
  runId: string,
  { key, title, text }: { key: string; title: string; text: string },
  now: string,
): VideoDecision {
  const job = requireRunningJob(video, 'process', runId)
  const inputMode = video.brief.inputMode === 'idea' ? 'auto' : video.brief.inputMode
  const after: Video = {
    ...video,
    title: video.titleIsWorking ? title : video.title,
    brief: { ...video.brief, text, inputMode },
    scriptKey: key,
    process: { ...job, status: 'COMPLETED', progress: 100, statusText: null },
    updatedAt: now,
  }
  return { ...updateVideo(video, after, now), charges: chargesOf('capture', job) }
}
