/** Lets an automation decide whatever there is to decide: after a job of it has ended, when a slot is due, after an edit. */
import { now } from '../../clock.ts'
import { type Blueprint, isBlueprint } from '../../domain/automations/blueprint.ts'
import { decideClip, decideOrphanedClip } from '../../domain/automations/clip-runs.ts'
import { type AutomationContext, contextAfter } from '../../domain/automations/decision-builders.ts'
import { decideAutomation } from '../../domain/automations/reconcile.ts'
import type { AutomationFanOut } from '../../domain/core/outbox.ts'
import type { VideoDecision } from '../../domain/records/decision.ts'
import type { Video } from '../../domain/records/video.ts'
import { withWallClockJobTimes } from '../../domain/videos/wall-clock.ts'
import { workspaceNow } from '../../domain/workspaces/workspace.ts'
import { putWakeUps } from '../../store/automation-wake-ups.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import { listAutomationsAfter } from '../../store/videos.ts'
import { findClip, loadAutomationContext } from './load-automation.ts'

/** Each decision uses a slot up or ends a state: more in a row than this are a fault. */
const decisionsMax = 2_000

/** Harmless to repeat. `clipId` names a clip of which something ended. */
export async function reconcileAutomation(
  workspaceId: string,
  automationId: string,
  clipId: string | null,
): Promise<void> {
  await decideUntilStable(automationId, () => load(workspaceId, automationId, clipId))
}

/**
 * Decides on the slots that are due of an automation that was just read, for whoever has many to look after: what follows from them was told
 * to the outbox, and is done by many. Tells whether there was anything to decide.
 */
export async function reconcileBlueprint(blueprint: Blueprint): Promise<boolean> {
  const { workspaceId, id } = blueprint
  const hasMore = ({ slotRecords: slots, video: { automation } }: VideoDecision) =>
    !slots || (automation?.nextSlot != null && automation.nextSlot.at <= now())
  const first = { view: await loadAutomationContext(blueprint), ended: undefined }
  return (await decideUntilStable(id, () => load(workspaceId, id, null), { first, hasMore })) > 0
}

/** So many are told at once. */
const wakeUpsPerPage = 50

/**
 * Something is there that automations may have lacked: those decide anew that publish to a profile, or all of the workspace. Each of a
 * page is told by a row of its own, and one row more stands for those behind the page: however many they are, nobody is at it for long, and
 * whatever is wrong with one, the others do not wait for it.
 */
export async function fanOutWakeUps(
  workspaceId: string,
  { profileId, cause, behind }: AutomationFanOut,
): Promise<void> {
  const { videos, last } = await listAutomationsAfter(workspaceId, behind, wakeUpsPerPage)
  const isMeant = ({ automation, destination }: Video) =>
    automation?.status === 'active' && (profileId === null || destination?.profileId === profileId)
  const each = videos.filter(isMeant).map(({ id }) => ({ automationId: id, clipId: null, cause: `${cause}#${id}` }))
  await putWakeUps(workspaceId, [...each, ...(last ? [{ profileId, cause, behind: last }] : [])], now())
}

/** What the decisions look at: the automation, or what is left of one, and the clip of which something ended. */
type ReconcileInput =
  | { view: AutomationContext; ended: Video | undefined }
  | { view: undefined; source: Video; ended: Video }

async function load(
  workspaceId: string,
  automationId: string,
  clipId: string | null,
): Promise<ReconcileInput | undefined> {
  const source = await findClip(workspaceId, automationId)
  const ended = source && clipId ? await findClip(workspaceId, clipId) : undefined
  if (source && isBlueprint(source)) return { view: await loadAutomationContext(source), ended }
  return source && ended && { view: undefined, source, ended }
}

/** One decision after the other. Each begins with what the one before it has written; who loses a race looks again. */
async function decideUntilStable(
  automationId: string,
  loadInput: () => Promise<ReconcileInput | undefined>,
  { first, hasMore = () => true }: { first?: ReconcileInput; hasMore?: (decision: VideoDecision) => boolean } = {},
): Promise<number> {
  let known = first
  for (let decisions = 0; decisions < decisionsMax; decisions++) {
    const decided = await retryOnConflict(async () => {
      const seen = known ?? (await loadInput())
      known = undefined
      const decided = seen && decide(seen)
      if (!decided) return undefined
      const decision = withWallClockJobTimes(decided, now())
      await commit(decision)
      known = inputAfter(seen, decision)
      return decision
    })
    if (!decided) return decisions
    if (!hasMore(decided)) return decisions + 1
  }
  throw new Error(`The automation ${automationId} does not come to rest.`)
}

function decide(seen: ReconcileInput): VideoDecision | undefined {
  const { view, ended } = seen
  if (!view) return decideOrphanedClip(ended, seen.source, now())
  const at = workspaceNow(view.workspace, now())
  return (ended && decideClip(view, ended, at)) ?? decideAutomation(view, at)
}

/** A clip that was counted is counted. */
function inputAfter({ view, ended }: ReconcileInput, decision: VideoDecision): ReconcileInput | undefined {
  const after = view && contextAfter(view, decision)
  return after && !ended ? { view: after, ended: undefined } : undefined
}
