/** A client's edit of an automation: schedule, destination, status. An edit never loses a slot or uses one twice. */
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
import { cursorOf, scheduleOf, wakeUpsAfterEdit, withClipUnscheduled, withNextSlot } from './blueprint.ts'
import { cursorAfterEdit } from './slot-times.ts'

/** The changed fields; absent ones stay. */
export interface AutomationEdit {
  schedule?: Schedule
  profileId?: string | null
  platforms?: PlatformId[]
  autoRefill?: boolean
  status?: Automation['status']
}

/** The destination after an edit. */
export const destinationAfter = ({ destination }: Video, { profileId, platforms }: AutomationEdit): Destination => ({
  profileId: profileId === undefined ? (destination?.profileId ?? null) : profileId,
  platforms: platforms ?? destination?.platforms ?? [],
})

/**
 * Edits an automation. `accounts` are those of the profile after the edit, `clip` is the waiting one. Refuses to activate
 * while anything blocks publishing; pausing unschedules the waiting clip.
 */
export function editAutomation(
  workspace: Workspace,
  blueprint: Blueprint,
  edit: AutomationEdit,
  { accounts, clip }: { accounts: readonly Account[]; clip: Video | undefined },
  now: string,
): VideoDecision {
  const before = edit.status === undefined ? blueprint.automation : withoutPauseMark(blueprint.automation)
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
  const missed = isReplanned ? missedSlot(blueprint, now) : undefined
  const used = missed ? cursorOf(blueprint.id, before, missed) : before.cursor
  const cursor = scheduleChanged ? cursorAfterEdit(edit.schedule!, scheduleOf(before), blueprint.id, now, used) : used
  const replanned = isReplanned ? withNextSlot(blueprint.id, { ...automation, cursor }, now) : automation
  const update = updateVideo(blueprint, { ...edited, automation: replanned }, now)
  const decision = {
    ...update,
    automationWakeUps: wakeUpsAfterEdit(update.video),
    ...(missed ? { slotRecords: [missed] } : {}),
  }
  return status === 'paused' ? withClipUnscheduled(decision, clip, now) : decision
}

/** The status is now the client's choice, which resuming all automations leaves alone. */
function withoutPauseMark({ pausedBy: _pausedBy, ...automation }: Automation): Automation {
  return automation
}

/** A due slot that still waits for its clip ends with its schedule: it is recorded as missed. */
export function missedSlot(
  { id, automation: { nextSlot, waitingClipId } }: Blueprint,
  now: string,
): SlotRecord | undefined {
  if (!nextSlot || nextSlot.at > now) return undefined
  return { ...nextSlot, automationId: id, outcome: 'missed', clipId: waitingClipId, decidedAt: now }
}
