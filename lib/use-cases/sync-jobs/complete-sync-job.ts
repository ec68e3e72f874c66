/** The end of a synchronous action: its result or its failure, in one commit with what it costs and what it is answered with. */
import { now } from '../../clock.ts'
import type { JobError } from '../../domain/core/failures.ts'
import { Superseded } from '../../domain/core/failures.ts'
import type { Decision } from '../../domain/records/decision.ts'
import type { ActionRun } from '../../domain/records/sync-job.ts'
import type { Video } from '../../domain/records/video.ts'
import { failAction, openAction, settled } from '../../domain/videos/sync-job.ts'
import { AlreadyAnswered, commit } from '../../store/core/commit.ts'
import { racing } from '../../store/core/conflict-retry.ts'
import type { ActionPlace } from '../../store/sync-jobs.ts'
import { findAction } from '../../store/sync-jobs.ts'
import { getVideo } from '../../store/videos.ts'

/**
 * Commits the result of a run with its answer, so that a retry with the request's key gets the same. `decide` is given the
 * video as it is now; a run that has ended meanwhile is `Superseded`.
 */
export async function settle(
  place: ActionPlace & { runId: string },
  decide: (
    video: Video,
    action: ActionRun,
  ) => { decision: Decision; answer: unknown } | Promise<{ decision: Decision; answer: unknown }>,
): Promise<void> {
  return racing(async () => {
    const action = openAction(await findAction(place), place.runId)
    const { decision, answer } = await decide(await getVideo(place.workspaceId, place.videoId), action)
    const { answerScope, workspaceId } = action
    const record = answerScope && {
      ...answerScope,
      workspaceId,
      status: 200,
      body: JSON.stringify({ data: answer }),
      at: decision.at,
    }
    try {
      await commit(settled(decision, action, answer), record ?? undefined)
    } catch (error) {
      // A key that was answered within 24 hours is replayed before an action begins: only its own retry can be here.
      if (error instanceof AlreadyAnswered) throw new Superseded(`Run ${place.runId} was answered already.`)
      throw error
    }
  })
}

/** Ends a run badly, unless it has ended. */
export function endAction(place: ActionPlace, runId: string, error: JobError): Promise<void> {
  return racing(async () => {
    const action = await findAction(place)
    if (action?.runId === runId && action.status === 'RUNNING') await commit(failAction(action, error, now()))
  })
}
