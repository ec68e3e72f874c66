/** What a client changes of an automation: its timetable, its destination, its state. No slot is lost or used twice by it. */
import { isDeepStrictEqual } from 'node:util'
import type { PlatformId } from '../core/platform.ts'
import type { Account } from '../records/account.ts'
import type { Automation } from '../records/automation.ts'
import type { VideoDecision } from '../records/decision.ts'
import type { Destination } from '../records/profile.ts'
import type { Schedule } from '../records/schedule.ts'
import type { SlotRecord } from '../records/slot.ts'
import type { Video } from '../records/video.ts'
import { updateVideo } from '../videos/update-video.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { blockersOf, refuseBlocked } from './blockers.ts'
import type { Blueprint } from './blueprint.ts'
import { cursorOf, scheduleOf, wakeUpsFor, withClipUnscheduled, withNextSlot } from './blueprint.ts'
import { cursorAfterEdit } from './slot-times.ts'

/** What a client changes; a field that is absent stays. */
export interface AutomationEdit {
  schedule?: Schedule
  profileId?: string | null
  platforms?: PlatformId[]
  autoRefill?: boolean
  status?: Automation['status']
}

/** The destination that an edit leads to. */
export const destinationAfter = ({ destination }: Video, { profileId, platforms }: AutomationEdit): Destination => ({
  profileId: profileId === undefined ? (destination?.profileId ?? null) : profileId,
  platforms: platforms ?? destination?.platforms ?? [],
})

/**
 * Edits an automation. `accounts` are those of the profile that it then has, `clip` the one that waits. Activating is refused while
 * anything is missing; pausing takes the slot from the clip that waits for it.
 */
export function editAutomation(
  workspace: Workspace,
  blueprint: Blueprint,
  edit: AutomationEdit,
  { accounts, clip }: { accounts: readonly Account[]; clip: Video | undefined },
  now: string,
): VideoDecision {
  const before = blueprint.automation
  const edited: Video = { ...blueprint, destination: destinationAfter(blueprint, edit), updatedAt: now }
  if (edit.status === 'active') refuseBlocked(blockersOf(workspace, edited, accounts, now))
  const status = edit.status ?? before.status
  const statusChanged = status !== before.status
  const automation: Automation = {
    ...before,
    status,
    ...(statusChanged ? { statusUpdatedAt: now } : {}),
    ...(statusChanged && status === 'active' ? { stopped: null, failures: 0, wasBlocked: false } : {}),
    schedule: edit.schedule ?? before.schedule,
    autoRefill: edit.autoRefill ?? before.autoRefill,
  }
  const scheduleChanged = edit.schedule !== undefined && !isDeepStrictEqual(edit.schedule, scheduleOf(before))
  const isReplanned = statusChanged || scheduleChanged
  const passed = isReplanned ? missedSlot(blueprint, now) : undefined
  const used = passed ? cursorOf(blueprint.id, before, passed) : before.cursor
  const cursor = scheduleChanged ? cursorAfterEdit(edit.schedule!, scheduleOf(before), blueprint.id, now, used) : used
  const replanned = isReplanned ? withNextSlot(blueprint.id, { ...automation, cursor }, now) : automation
  const edition = updateVideo(blueprint, { ...edited, automation: replanned }, now)
  const decision = { ...edition, wakeUps: wakeUpsFor(edition.video), ...(passed ? { slotRecords: [passed] } : {}) }
  return status === 'paused' ? withClipUnscheduled(decision, clip, now) : decision
}

/** A slot that is due and waits for its clip does not outlive the timetable that it belongs to: it is missed. */
function missedSlot({ id, automation: { nextSlot, waitingClipId } }: Blueprint, now: string): SlotRecord | undefined {
  if (!nextSlot || nextSlot.at > now) return undefined
  return { ...nextSlot, automationId: id, outcome: 'missed', clipId: waitingClipId, decidedAt: now }
}
