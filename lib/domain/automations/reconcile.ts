/**
 * What an automation does next: one decision at a time, made anew from its records whenever something may have changed. Every decision moves
 * the cursor or ends a state, so that deciding again, late or twice finds nothing to do.
 */

import { deterministicId } from '../core/id.ts'
import { isOpen } from '../core/states.ts'
import type { VideoDecision } from '../records/decision.ts'
import type { Slot } from '../records/schedule.ts'
import { isMissed } from '../records/slot.ts'
import type { Video } from '../records/video.ts'
import { isGenerated, requestRender } from '../videos/jobs.ts'
import { type BlockerId, blockersOf, publishingBlockers, stopCauses } from './blockers.ts'
import { withClipUnscheduled } from './blueprint.ts'
import { adoptClip, decideClip, isReadyToPublish, publishClip, runAutomation, scheduleClip } from './clip-runs.ts'
import {
  type AutomationContext,
  consumeSlot,
  stopFields,
  updateAutomation,
  withBlockedEvent,
  withStoppedEvent,
} from './decision-builders.ts'

/** The next decision, or undefined where there is nothing to decide at this time. */
export function decideAutomation(view: AutomationContext, now: string): VideoDecision | undefined {
  const { status, nextSlot } = view.blueprint.automation
  const ended = view.clip && decideClip(view, view.clip, now)
  if (ended) return ended
  if (status !== 'active' || !nextSlot) return undefined
  if (nextSlot.at > now) return prepareClip(view, nextSlot, now)
  if (isMissed(nextSlot, now))
    return withClipUnscheduled(consumeSlot(view, nextSlot, 'missed', {}, now), view.clip, now)
  return runDueSlot(view, nextSlot, now)
}

/** Before its slot: a clip is made once there is none, and armed once it is rendered. */
function prepareClip(view: AutomationContext, slot: Slot, now: string): VideoDecision | undefined {
  const { workspace, blueprint, clip, spare, accounts } = view
  if (!clip) {
    const { autoRefill, failures } = blueprint.automation
    // After a failure nothing is made ahead: the slot itself tries again.
    if (!autoRefill) return spare && adoptClip(view, spare, now)
    const isFree = failures === 0 && blockersOf(workspace, blueprint, accounts, now).length === 0
    return isFree ? runAutomation(view, false, now).decision : undefined
  }
  // What came of a publication by the client is there to be seen until the slot.
  if (isScheduledFor(clip, slot) || clip.publish?.status === 'FAILED') return undefined
  const cannotPublish = publishingBlockers(workspace, blueprint.destination, accounts).length > 0
  if (isReadyToPublish(clip) && !cannotPublish) return scheduleClip(view, clip, slot, now)
  return clip.publish?.status === 'SCHEDULED'
    ? withClipUnscheduled(updateAutomation(view, {}, now), clip, now)
    : undefined
}

/** A slot that is due: its clip is published, awaited, or made now. */
function runDueSlot(view: AutomationContext, slot: Slot, now: string): VideoDecision | undefined {
  const { workspace, blueprint, clip, spare, accounts } = view
  const inTheWay = publishingBlockers(workspace, blueprint.destination, accounts)
  if (inTheWay.length > 0) return skipBlockedSlot(view, slot, inTheWay, now)
  if (clip) return isReadyToPublish(clip) ? publishClip(view, clip, slot, now) : awaitClip(view, clip, now)
  if (!blueprint.automation.autoRefill)
    return spare ? adoptClip(view, spare, now) : skipBlockedSlot(view, slot, ['source-not-ready'], now)
  const missing = blockersOf(workspace, blueprint, accounts, now).map(({ id }) => id)
  if (missing.length === 0) return runAutomation(view, false, now).decision
  // The end of its generation wakes us.
  const isBeingMade = isOpen(blueprint.process) && missing.every((id) => id === 'source-not-ready')
  return isBeingMade ? undefined : skipBlockedSlot(view, slot, missing, now)
}

/** The end of its job wakes us. A clip that an edit took the film from gets another. */
function awaitClip({ workspace }: AutomationContext, clip: Video, now: string): VideoDecision | undefined {
  const isAtWork = [clip.process, clip.render, clip.publish].some(isOpen)
  if (isAtWork || !isGenerated(clip)) return undefined
  return requestRender(workspace, clip, deterministicId('run', 'render', clip.id, String(clip.version)), now)
}

const isScheduledFor = ({ publish }: Video, slot: Slot) =>
  publish?.status === 'SCHEDULED' && publish.scheduledAt === slot.at

/** A slot that lacks something makes and charges nothing; the second in a row stops the automation. */
function skipBlockedSlot(view: AutomationContext, slot: Slot, ids: readonly BlockerId[], now: string): VideoDecision {
  const { workspace, blueprint, clip, accounts } = view
  const all = blockersOf(workspace, blueprint, accounts, now)
  const others = ids.filter((id) => all.every((blocker) => blocker.id !== id))
  const blockers = [...others.map((id) => ({ id, label: 'No clip is there to be published.' })), ...all]
  const decision = blueprint.automation.wasBlocked
    ? withStoppedEvent(
        consumeSlot(view, slot, 'stopped', stopFields(stopCauses[ids[0]!], blockers, now), now),
        blockers,
        now,
      )
    : withBlockedEvent(consumeSlot(view, slot, 'blocked', { wasBlocked: true }, now), blockers, now)
  return withClipUnscheduled(decision, clip, now)
}
