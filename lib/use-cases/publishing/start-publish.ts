/**
 * The request side of a publication: resolves its destination, starts it and waits for it. Called by the publish route.
 */
import { poll } from '../../async.ts'
import { startPipeline } from '../../aws/pipelines.ts'
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
import { withWaitPermit } from '../sync-jobs/wait-permit.ts'

/** The profile with its accounts, and the platforms, after defaults. */
export async function loadPublishTarget(video: Video, input: PublishInput): Promise<PublishTarget> {
  const { workspaceId } = video
  const { profileId, platforms } = resolveDestination(input, await ownDestination(video))
  const found = profileId ? await getProfile(workspaceId, profileId) : await findDefaultProfile(workspaceId)
  if (!found)
    throw new Refusal('warning-publish-no-accounts', 'This workspace has no profile: connect an account first.', {
      action: 'connect',
    })
  return { ...found, platforms }
}

/** A clip inherits the destination of the video that it was made from. */
async function ownDestination({ workspaceId, destination, parentVideoId }: Video): Promise<Destination | undefined> {
  if (destination || !parentVideoId) return destination
  return ownDestination(await getVideo(workspaceId, parentVideoId))
}

const pauseMs = { first: 100, growth: 1.3, last: 1_000 }

/**
 * Starts an accepted publication; returns the video when the publication has ended, or as it is at `until`. Does not
 * wait where too many requests of the workspace wait already.
 */
export async function startAndAwaitPublish(until: string, { video: accepted, starts }: VideoDecision): Promise<Video> {
  await Promise.all(starts.map((start) => startWithoutWaiting(accepted, start)))
  const { workspaceId, id } = accepted
  const isCurrent = ({ publish }: Video) => publish?.runId === accepted.publish?.runId
  const isSettled = (found: Video) => !isCurrent(found) || !isOpen(found.publish)
  const video = await withWaitPermit(workspaceId, async (permit) => {
    const waitUntil = (await permit.tryAcquire()) ? Date.parse(until) : 0
    return poll(() => getVideo(workspaceId, id), isSettled, { pauseMs, until: waitUntil })
  })
  // Another publication may have started since this one ended; its state is not the result of this request.
  return isCurrent(video) ? video : accepted
}

/** Best effort: the outbox dispatcher starts it a moment later in any case. */
async function startWithoutWaiting({ workspaceId, id: videoId }: Video, start: PipelineStart): Promise<void> {
  try {
    await startPipeline(workspaceId, start)
  } catch (error) {
    log.warn('publish.not-started', { workspaceId, videoId, runId: start.runId, error: error as Error })
  }
}
