/**
 * Reconciles automations from their state: after a job has ended, when a slot is due, after an edit. Idempotent; called
 * by the outbox dispatcher, the worker `run-due-slot` and the sweeper.
 */
import { now } from '../../clock.ts'
import { type Blueprint, isBlueprint } from '../../domain/automations/blueprint.ts'
import { decideOrphanedClip } from '../../domain/automations/clip-runs.ts'
import { type AutomationContext, contextAfter } from '../../domain/automations/decision-builders.ts'
import { decideAutomation } from '../../domain/automations/reconcile.ts'
import type { AutomationFanOut } from '../../domain/core/outbox.ts'
import type { VideoDecision } from '../../domain/records/decision.ts'
import type { Video } from '../../domain/records/video.ts'
import { decideForWorkspace } from '../../domain/workspaces/test-clock.ts'
import { putWakeUps } from '../../store/automation-wake-ups.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import { findVideo, listAutomationsAfter } from '../../store/videos.ts'
import { loadAutomationContext } from './load-automation.ts'

/** Each decision consumes a slot or ends a state: more in a row are a fault. */
const decisionsMax = 2_000

/** Idempotent. `clipId`: the clip whose job has ended, if any. */
export async function reconcileAutomation(
  workspaceId: string,
  automationId: string,
  clipId: string | null,
): Promise<void> {
  await decideUntilStable(automationId, () => load(workspaceId, automationId, clipId))
}

/**
 * Decides on the due slots of an automation that was just read, for the sweeper. Their consequences are in the outbox
 * and processed in parallel. Returns whether there was anything to decide.
 */
export async function reconcileBlueprint(blueprint: Blueprint): Promise<boolean> {
  const { workspaceId, id } = blueprint
  const hasMore = ({ slotRecords, video: { automation } }: VideoDecision) =>
    !slotRecords || (automation?.nextSlot != null && automation.nextSlot.at <= now())
  const first = { context: await loadAutomationContext(blueprint), endedClip: undefined }
  return (await decideUntilStable(id, () => load(workspaceId, id, null), { first, hasMore })) > 0
}

const wakeUpsPerPage = 50

/**
 * Fan-out after a change that automations may have been waiting for: wakes the active automations of a profile, or of
 * the workspace. Each automation of a page gets its own outbox row, and one more row continues after the page, so that
 * each step is short and one failing automation does not delay the others.
 */
export async function fanOutWakeUps(
  workspaceId: string,
  { profileId, cause, behind }: AutomationFanOut,
): Promise<void> {
  const { videos, last } = await listAutomationsAfter(workspaceId, behind, wakeUpsPerPage)
  const isAffected = ({ automation, destination }: Video) =>
    automation?.status === 'active' && (profileId === null || destination?.profileId === profileId)
  const wakeUps = videos
    .filter(isAffected)
    .map(({ id }) => ({ automationId: id, clipId: null, cause: `${cause}#${id}` }))
  await putWakeUps(workspaceId, [...wakeUps, ...(last ? [{ profileId, cause, behind: last }] : [])], now())
}

/** What a decision reads: the automation, or the video that was one, and the clip whose job has ended. */
type ReconcileInput =
  | { context: AutomationContext; endedClip: Video | undefined }
  | { context: undefined; source: Video; endedClip: Video }

async function load(
  workspaceId: string,
  automationId: string,
  clipId: string | null,
): Promise<ReconcileInput | undefined> {
  const source = await findVideo(workspaceId, automationId)
  const endedClip = source && clipId ? await findVideo(workspaceId, clipId) : undefined
  if (source && isBlueprint(source)) return { context: await loadAutomationContext(source), endedClip }
  return source && endedClip && { context: undefined, source, endedClip }
}

/**
 * Repeats decide and commit until there is nothing to decide; returns the number of decisions. Each decision starts
 * from the state that the one before has written; after a write conflict the state is loaded again.
 */
async function decideUntilStable(
  automationId: string,
  loadInput: () => Promise<ReconcileInput | undefined>,
  { first, hasMore = () => true }: { first?: ReconcileInput; hasMore?: (decision: VideoDecision) => boolean } = {},
): Promise<number> {
  let known = first
  for (let decisions = 0; decisions < decisionsMax; decisions++) {
    const decided = await retryOnConflict(async () => {
      const input = known ?? (await loadInput())
      known = undefined
      const decision = input && decide(input)
      if (!decision) return undefined
      await commit(decision)
      known = inputAfter(input, decision)
      return decision
    })
    if (!decided) return decisions
    if (!hasMore(decided)) return decisions + 1
  }
  throw new Error(`The automation ${automationId} is not stable after ${decisionsMax} decisions.`)
}

function decide(input: ReconcileInput): VideoDecision | undefined {
  const { context, endedClip } = input
  if (!context) return decideOrphanedClip(endedClip, input.source, now())
  return decideForWorkspace(context.workspace, now(), (at) => decideAutomation(context, at, endedClip))
}

/**
 * The input of the next decision without a read; undefined after a decision on an ended clip, which is counted only
 * once.
 */
function inputAfter({ context, endedClip }: ReconcileInput, decision: VideoDecision): ReconcileInput | undefined {
  const after = context && contextAfter(context, decision)
  return after && !endedClip ? { context: after, endedClip: undefined } : undefined
}
