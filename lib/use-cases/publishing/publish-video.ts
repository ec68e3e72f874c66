/** A publication as its request sees it: where it goes, and how long one waits for it. */
import { setTimeout as delay } from 'node:timers/promises'
import { startPipeline } from '../../aws/pipelines.ts'
import { now } from '../../clock.ts'
import type { PipelineStart } from '../../domain/core/pipeline.ts'
import { Refusal } from '../../domain/core/refusal.ts'
import { isOpen } from '../../domain/core/states.ts'
import type { PublishInput, PublishTarget } from '../../domain/publishing/publish.ts'
import { resolveDestination } from '../../domain/publishing/publish.ts'
import type { VideoDecision } from '../../domain/records/decision.ts'
import type { Destination } from '../../domain/records/profile.ts'
import type { Video } from '../../domain/records/video.ts'
import { log } from '../../log.ts'
import { findDefaultProfile, getProfile } from '../../store/profiles.ts'
import { getVideo } from '../../store/videos.ts'

/** The profile that is meant, with its accounts, and the platforms. */
export async function loadPublishTarget(video: Video, wish: PublishInput): Promise<PublishTarget> {
  const { workspaceId } = video
  const { profileId, platforms } = resolveDestination(wish, await ownDestination(video))
  const found = profileId ? await getProfile(workspaceId, profileId) : await findDefaultProfile(workspaceId)
  if (!found)
    throw new Refusal('warning-publish-no-accounts', 'The workspace has no profile: connect an account first.', {
      action: 'connect',
    })
  return { ...found, platforms }
}

/** A clip inherits the destination of what it was made from. */
async function ownDestination({ workspaceId, destination, parentVideoId }: Video): Promise<Destination | undefined> {
  if (destination || !parentVideoId) return destination
  return ownDestination(await getVideo(workspaceId, parentVideoId))
}

const pollMs = { first: 100, growth: 1.3, last: 1_000 }

/** Starts a publication that was accepted, and answers the video when that has ended, or as it is at `until`. */
export async function startAndAwaitPublish(until: string, { video: accepted, starts }: VideoDecision): Promise<Video> {
  await Promise.all(starts.map((start) => startWithoutWaiting(accepted, start)))
  for (let pause = pollMs.first; ; pause = Math.min(pause * pollMs.growth, pollMs.last)) {
    const remainingMs = Date.parse(until) - Date.parse(now())
    await delay(Math.min(pause, Math.max(remainingMs, 0)))
    const video = await getVideo(accepted.workspaceId, accepted.id)
    // Another publication may have begun since this one ended: then what is there now is no answer to this request.
    if (video.publish?.runId !== accepted.publish?.runId) return accepted
    if (!isOpen(video.publish) || remainingMs <= pause) return video
  }
}

/** The outbox row wakes the dispatcher, which does the same a moment later: it was accepted, also where this fails. */
async function startWithoutWaiting({ workspaceId, id: videoId }: Video, start: PipelineStart): Promise<void> {
  try {
    await startPipeline(workspaceId, start)
  } catch (error) {
    log.warn('publish.not-started', { workspaceId, videoId, runId: start.runId, error: error as Error })
  }
}
