/**
 * Reconciles an automation from its records: one decision at a time, whenever something may have changed. Every decision
 * moves the cursor or ends a state, so that a repeated or late call has nothing left to do.
 */

import { deterministicIdAt } from '../core/id.ts'
import { isOpen } from '../core/states.ts'
import type { VideoDecision } from '../records/decision.ts'
import type { Slot } from '../records/slot.ts'
import { isMissed } from '../records/slot.ts'
import type { Video } from '../records/video.ts'
import { isGenerated, requestRender } from '../videos/job-transitions.ts'
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

/**
 * The next decision, or undefined if there is nothing to do now. `endedClip`: the clip whose job has ended, if any. A
 * suspended workspace decides nothing; resuming it wakes its automations.
 */
export function decideAutomation(
  context: AutomationContext,
  now: string,
  endedClip?: Video,
): VideoDecision | undefined {
  if (context.workspace.suspendedAt) return undefined
  return (endedClip && decideClip(context, endedClip, now)) ?? decideSlot(context, now)
}

function decideSlot(context: AutomationContext, now: string): VideoDecision | undefined {
  const { status, nextSlot } = context.blueprint.automation
  const ended = context.clip && decideClip(context, context.clip, now)
  if (ended) return ended
  if (status !== 'active' || !nextSlot) return undefined
  if (nextSlot.at > now) return prepareClip(context, nextSlot, now)
  if (isMissed(nextSlot, now))
    return withClipUnscheduled(consumeSlot(context, nextSlot, 'missed', {}, now), context.clip, now)
  return runDueSlot(context, nextSlot, now)
}

/** Before a slot: makes a clip if there is none, and schedules it once it is rendered. */
function prepareClip(context: AutomationContext, slot: Slot, now: string): VideoDecision | undefined {
  const { workspace, blueprint, clip, spare, accounts } = context
  if (!clip) {
    const { autoRefill, failures } = blueprint.automation
    if (!autoRefill) return spare && adoptClip(context, spare, now)
    // After a failure the next attempt waits for the slot.
    const mayMakeAhead = failures === 0 && blockersOf(workspace, blueprint, accounts, now).length === 0
    return mayMakeAhead ? runAutomation(context, false, now).decision : undefined
  }
  // The result of a failed publication by the client stays visible until the slot.
  if (isScheduledFor(clip, slot) || clip.publish?.status === 'FAILED') return undefined
  const cannotPublish = publishingBlockers(workspace, blueprint.destination, accounts).length > 0
  if (isReadyToPublish(clip) && !cannotPublish) return scheduleClip(context, clip, slot, now)
  return clip.publish?.status === 'SCHEDULED'
    ? withClipUnscheduled(updateAutomation(context, {}, now), clip, now)
    : undefined
}

/** A due slot: publishes its clip, waits for it, or makes it now. */
function runDueSlot(context: AutomationContext, slot: Slot, now: string): VideoDecision | undefined {
  const { workspace, blueprint, clip, spare, accounts } = context
  const publishBlockers = publishingBlockers(workspace, blueprint.destination, accounts)
  if (publishBlockers.length > 0) return skipBlockedSlot(context, slot, publishBlockers, now)
  if (clip) return isReadyToPublish(clip) ? publishClip(context, clip, slot, now) : awaitClip(context, clip, now)
  if (!blueprint.automation.autoRefill)
    return spare ? adoptClip(context, spare, now) : skipBlockedSlot(context, slot, ['source-not-ready'], now)
  const missing = blockersOf(workspace, blueprint, accounts, now).map(({ id }) => id)
  if (missing.length === 0) return runAutomation(context, false, now).decision
  // The end of the blueprint's generation triggers the next decision.
  const isGenerating = isOpen(blueprint.process) && missing.every((id) => id === 'source-not-ready')
  return isGenerating ? undefined : skipBlockedSlot(context, slot, missing, now)
}

/** The end of the clip's job triggers the next decision. A clip whose render was cleared by an edit is rendered again. */
function awaitClip({ workspace }: AutomationContext, clip: Video, now: string): VideoDecision | undefined {
  const isBusy = [clip.process, clip.render, clip.publish].some(isOpen)
  if (isBusy || !isGenerated(clip)) return undefined
  return requestRender(workspace, clip, deterministicIdAt('run', now, 'render', clip.id, String(clip.version)), now)
}

const isScheduledFor = ({ publish }: Video, slot: Slot) =>
  publish?.status === 'SCHEDULED' && publish.scheduledAt === slot.at

/** A blocked slot makes and charges nothing; the second one in a row stops the automation. */
function skipBlockedSlot(
  context: AutomationContext,
  slot: Slot,
  ids: readonly BlockerId[],
  now: string,
): VideoDecision {
  const { workspace, blueprint, clip, accounts } = context
  const all = blockersOf(workspace, blueprint, accounts, now)
  const others = ids.filter((id) => all.every((blocker) => blocker.id !== id))
  const blockers = [...others.map((id) => ({ id, label: 'There is no clip to publish.' })), ...all]
  const decision = blueprint.automation.wasBlocked
    ? withStoppedEvent(
        consumeSlot(context, slot, 'stopped', stopFields(stopCauses[ids[0]!], blockers, now), now),
        blockers,
        now,
      )
    : withBlockedEvent(consumeSlot(context, slot, 'blocked', { wasBlocked: true }, now), blockers, now)
  return withClipUnscheduled(decision, clip, now)
}
