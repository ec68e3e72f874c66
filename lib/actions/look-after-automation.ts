/** Lets an automation decide whatever there is to decide: after a job of it has ended, when a slot is due, after an edit. */
import { now } from '../clock.ts'
import { type Blueprint, isBlueprint } from '../domain/automation.ts'
import { type AutomationView, viewAfter } from '../domain/automation-decision.ts'
import type { VideoDecision } from '../domain/decision.ts'
import { decideClip } from '../domain/runs.ts'
import { decideAutomation } from '../domain/slots.ts'
import type { Video } from '../domain/video.ts'
import { timeIn } from '../domain/workspace.ts'
import { commit } from '../store/commit.ts'
import { racing } from '../store/races.ts'
import { findClip, viewOf } from './automation-view.ts'

/** Each decision uses a slot up or ends a state: more in a row than this are a fault. */
const decisionsMax = 2_000

/** Harmless to repeat. `clipId` names a clip of which something ended. */
export async function lookAfterAutomation(
  workspaceId: string,
  automationId: string,
  clipId: string | null,
): Promise<void> {
  await decideAll(automationId, () => load(workspaceId, automationId, clipId))
}

/**
 * Decides on the slots that are due of an automation that was just read, for whoever has many to look after: what follows from them was told
 * to the outbox, and is done by many. Tells whether there was anything to decide.
 */
export async function decideSlots(blueprint: Blueprint): Promise<boolean> {
  const { workspaceId, id } = blueprint
  const hasMore = ({ slots, video: { automation } }: VideoDecision) =>
    !slots || (automation?.nextSlot != null && automation.nextSlot.at <= now())
  const first = { view: await viewOf(blueprint), ended: undefined }
  return (await decideAll(id, () => load(workspaceId, id, null), { first, hasMore })) > 0
}

/** What the decisions look at: the automation, and the clip of which something ended. */
interface Seen {
  view: AutomationView
  ended: Video | undefined
}

async function load(workspaceId: string, automationId: string, clipId: string | null): Promise<Seen | undefined> {
  const blueprint = await findClip(workspaceId, automationId)
  if (!blueprint || !isBlueprint(blueprint)) return undefined
  const [view, ended] = await Promise.all([viewOf(blueprint), clipId ? findClip(workspaceId, clipId) : undefined])
  return { view, ended }
}

/** One decision after the other. Each begins with what the one before it has written; who loses a race looks again. */
async function decideAll(
  automationId: string,
  look: () => Promise<Seen | undefined>,
  { first, hasMore = () => true }: { first?: Seen; hasMore?: (decision: VideoDecision) => boolean } = {},
): Promise<number> {
  let known = first
  for (let decisions = 0; decisions < decisionsMax; decisions++) {
    const decided = await racing(async () => {
      const seen = known ?? (await look())
      known = undefined
      const decision = seen && decide(seen)
      if (!decision) return undefined
      await commit(decision)
      known = seenAfter(seen, decision)
      return decision
    })
    if (!decided) return decisions
    if (!hasMore(decided)) return decisions + 1
  }
  throw new Error(`The automation ${automationId} does not come to rest.`)
}

function decide({ view, ended }: Seen): VideoDecision | undefined {
  const at = timeIn(view.workspace, now())
  return (ended && decideClip(view, ended, at)) ?? decideAutomation(view, at)
}

/** A clip that was counted is counted. */
function seenAfter({ view, ended }: Seen, decision: VideoDecision): Seen | undefined {
  const after = viewAfter(view, decision)
  return after && !ended ? { view: after, ended: undefined } : undefined
}
