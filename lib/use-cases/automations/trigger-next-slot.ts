/** Triggers the next slot of an automation ahead of its time, to test it. Called by the admin script. */
import { now } from '../../clock.ts'
import { bringSlotForward } from '../../domain/automations/automation-lifecycle.ts'
import type { Slot, SlotId, SlotRecord } from '../../domain/records/slot.ts'
import { decideForWorkspace } from '../../domain/workspaces/test-clock.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import { listSlotRecords } from '../../store/slot-records.ts'
import { getWorkspace } from '../../store/workspaces.ts'
import { getBlueprint } from './load-automation.ts'
import { reconcileAutomation } from './reconcile-automation.ts'

export interface TriggeredSlot extends SlotId {
  automationId: string
  /** `waiting`: its clip is still being made and is published once it is ready. */
  outcome: SlotRecord['outcome'] | 'waiting'
  clipId: string | null
}

/** How many slots may have been due together with it. */
const newestSlots = 100

/** Consumes the slot: it does not run again at its scheduled time. */
export async function triggerNextSlot(workspaceId: string, automationId: string): Promise<TriggeredSlot> {
  const { date, index, at } = await retryOnConflict(() => bringForward(workspaceId, automationId))
  await reconcileAutomation(workspaceId, automationId, null)
  const newest = await listSlotRecords(workspaceId, automationId, newestSlots)
  const decided = newest.find((slot) => slot.at === at && slot.date === date && slot.index === index)
  const clipId = decided ? decided.clipId : (await getBlueprint(workspaceId, automationId)).automation.waitingClipId
  return { automationId, date, index, outcome: decided?.outcome ?? 'waiting', clipId }
}

async function bringForward(workspaceId: string, automationId: string): Promise<Slot> {
  const [workspace, blueprint] = await Promise.all([getWorkspace(workspaceId), getBlueprint(workspaceId, automationId)])
  const decision = decideForWorkspace(workspace, now(), (at) => bringSlotForward(blueprint, at))
  if (!decision) return blueprint.automation.nextSlot!
  await commit(decision)
  return decision.video.automation!.nextSlot!
}
