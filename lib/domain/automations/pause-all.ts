/**
 * Pauses an automation on behalf of its owner, during a restore or while its workspace is suspended, and resumes what was
 * paused this way. Not an edit: blockers do not prevent resuming, and automations that the owner paused stay paused.
 */
import type { Automation } from '../records/automation.ts'
import type { VideoDecision } from '../records/decision.ts'
import type { Video } from '../records/video.ts'
import { updateVideo } from '../videos/update-video.ts'
import { type Blueprint, cursorOf, wakeUpsAfterEdit, withClipUnscheduled, withNextSlot } from './blueprint.ts'
import { missedSlot } from './edit-automation.ts'

/** Undefined where it is paused already. `clip` is the waiting one, which loses its slot. */
export function pauseForOwner(
  blueprint: Blueprint,
  clip: Video | undefined,
  pausedBy: NonNullable<Automation['pausedBy']>,
  now: string,
): VideoDecision | undefined {
  const before = blueprint.automation
  if (before.status !== 'active') return undefined
  const missed = missedSlot(blueprint, now)
  const cursor = missed ? cursorOf(blueprint.id, before, missed) : before.cursor
  const paused = { ...before, status: 'paused' as const, statusUpdatedAt: now, pausedBy, cursor, nextSlot: null }
  const decision = updateVideo(blueprint, { ...blueprint, automation: paused, updatedAt: now }, now)
  return withClipUnscheduled({ ...decision, ...(missed ? { slotRecords: [missed] } : {}) }, clip, now)
}

/** Undefined where it was not paused for this reason. Slots of the time in between are skipped. */
export function resumeForOwner(
  blueprint: Blueprint,
  pausedBy: NonNullable<Automation['pausedBy']>,
  now: string,
): VideoDecision | undefined {
  const { pausedBy: reason, ...before } = blueprint.automation
  // A run that ended in the meantime may have stopped it.
  if (reason !== pausedBy || before.stopped) return undefined
  const automation = withNextSlot(blueprint.id, { ...before, status: 'active', statusUpdatedAt: now }, now)
  const decision = updateVideo(blueprint, { ...blueprint, automation, updatedAt: now }, now)
  return { ...decision, automationWakeUps: wakeUpsAfterEdit(decision.video) }
}
