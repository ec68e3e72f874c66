/**
 * What an automation does next: one decision at a time, made anew from its records whenever something may have changed. Every decision moves
 * the cursor or ends a state, so that deciding again, late or twice finds nothing to do.
 */

import { idFromCause } from '../core/id.ts'
import { isOpen } from '../core/states.ts'
import type { VideoDecision } from '../records/decision.ts'
import type { Slot } from '../records/schedule.ts'
import { isMissed } from '../records/slot.ts'
import type { Video } from '../records/video.ts'
import { isGenerated, requestRender } from '../videos/jobs.ts'
import { type BlockerId, blockersOf, publishingBlockers, stopCauses } from './blockers.ts'
import { withUnscheduled } from './blueprint.ts'
import { adopted, armed, decideClip, isReady, published, runAutomation } from './clip-runs.ts'
import { type AutomationView, stop, tellingBlocked, tellingStopped, used, withAutomation } from './decision-builders.ts'

/** The next decision, or undefined where there is nothing to decide at this time. */
export function decideAutomation(view: AutomationView, now: string): VideoDecision | undefined {
  const { status, nextSlot } = view.blueprint.automation
  const ended = view.clip && decideClip(view, view.clip, now)
  if (ended) return ended
  if (status !== 'active' || !nextSlot) return undefined
  if (nextSlot.at > now) return prepare(view, nextSlot, now)
  if (isMissed(nextSlot, now)) return withUnscheduled(used(view, nextSlot, 'missed', {}, now), view.clip, now)
  return useSlot(view, nextSlot, now)
}

/** Before its slot: a clip is made once there is none, and armed once it is rendered. */
function prepare(view: AutomationView, slot: Slot, now: string): VideoDecision | undefined {
  const { workspace, blueprint, clip, spare, accounts } = view
  if (!clip) {
    const { autoRefill, failures } = blueprint.automation
    // After a failure nothing is made ahead: the slot itself tries again.
    if (!autoRefill) return spare && adopted(view, spare, now)
    const isFree = failures === 0 && blockersOf(workspace, blueprint, accounts, now).length === 0
    return isFree ? runAutomation(view, false, now).decision : undefined
  }
  // What came of a publication by the client is there to be seen until the slot.
  if (isArmedFor(clip, slot) || clip.publish?.status === 'FAILED') return undefined
  const cannotPublish = publishingBlockers(workspace, blueprint.destination, accounts).length > 0
  if (isReady(clip) && !cannotPublish) return armed(view, clip, slot, now)
  return clip.publish?.status === 'SCHEDULED' ? withUnscheduled(withAutomation(view, {}, now), clip, now) : undefined
}

/** A slot that is due: its clip is published, awaited, or made now. */
function useSlot(view: AutomationView, slot: Slot, now: string): VideoDecision | undefined {
  const { workspace, blueprint, clip, spare, accounts } = view
  const inTheWay = publishingBlockers(workspace, blueprint.destination, accounts)
  if (inTheWay.length > 0) return blocked(view, slot, inTheWay, now)
  if (clip) return isReady(clip) ? published(view, clip, slot, now) : awaited(view, clip, now)
  if (!blueprint.automation.autoRefill)
    return spare ? adopted(view, spare, now) : blocked(view, slot, ['source-not-ready'], now)
  const missing = blockersOf(workspace, blueprint, accounts, now).map(({ id }) => id)
  if (missing.length === 0) return runAutomation(view, false, now).decision
  // The end of its generation wakes us.
  const isBeingMade = isOpen(blueprint.process) && missing.every((id) => id === 'source-not-ready')
  return isBeingMade ? undefined : blocked(view, slot, missing, now)
}

/** The end of its job wakes us. A clip that an edit took the film from gets another. */
function awaited({ workspace }: AutomationView, clip: Video, now: string): VideoDecision | undefined {
  const isAtWork = [clip.process, clip.render, clip.publish].some(isOpen)
  if (isAtWork || !isGenerated(clip)) return undefined
  return requestRender(workspace, clip, idFromCause('run', 'render', clip.id, String(clip.version)), now)
}

const isArmedFor = ({ publish }: Video, slot: Slot) =>
  publish?.status === 'SCHEDULED' && publish.scheduledAt === slot.at

/** A slot that lacks something makes and charges nothing; the second in a row stops the automation. */
function blocked(view: AutomationView, slot: Slot, ids: readonly BlockerId[], now: string): VideoDecision {
  const { workspace, blueprint, clip, accounts } = view
  const all = blockersOf(workspace, blueprint, accounts, now)
  const others = ids.filter((id) => all.every((blocker) => blocker.id !== id))
  const blockers = [...others.map((id) => ({ id, label: 'No clip is there to be published.' })), ...all]
  const decision = blueprint.automation.wasBlocked
    ? tellingStopped(used(view, slot, 'stopped', stop(stopCauses[ids[0]!], blockers, now), now), blockers, now)
    : tellingBlocked(used(view, slot, 'blocked', { wasBlocked: true }, now), blockers, now)
  return withUnscheduled(decision, clip, now)
}
