/** What the routes about automations do: each decides on the blueprint with the clip that waits and the accounts that are meant. */

import { demote, promote } from '../../domain/automations/automation.ts'
import { type BlockerId, blockersOf } from '../../domain/automations/blockers.ts'
import type { Blueprint } from '../../domain/automations/blueprint.ts'
import { type AutomationEdit, destinationAfter, editAutomation } from '../../domain/automations/edit-automation.ts'
import type { Account } from '../../domain/records/account.ts'
import type { VideoDecision } from '../../domain/records/decision.ts'
import type { Video } from '../../domain/records/video.ts'
import { withWallClockJobTimes } from '../../domain/videos/wall-clock.ts'
import type { Workspace } from '../../domain/workspaces/workspace.ts'
import { workspaceNow } from '../../domain/workspaces/workspace.ts'
import { findProfile, getProfile } from '../../store/profiles.ts'
import { getVideo } from '../../store/videos.ts'
import { getWorkspace } from '../../store/workspaces.ts'
import { findClip, getBlueprint } from './load-automation.ts'
import { reconcileAutomation } from './reconcile-automation.ts'

/** A decision, and what then still stands in the way of the automation. */
export interface AutomationEditResult {
  decision: VideoDecision
  blockers: { id: BlockerId; label: string }[]
}

/** Edits an automation. A profile that is not there is not found. */
export async function decideAutomationEdit(
  workspaceId: string,
  automationId: string,
  edit: AutomationEdit,
  realNow: string,
): Promise<AutomationEditResult> {
  const workspace = await getWorkspace(workspaceId)
  const now = workspaceNow(workspace, realNow)
  const blueprint = await loadReconciled(workspaceId, automationId, now)
  const { waitingClipId } = blueprint.automation
  const [accounts, clip] = await Promise.all([
    edit.profileId ? accountsOf(workspaceId, edit.profileId) : accountsOfDestination(blueprint, edit),
    waitingClipId ? findClip(workspaceId, waitingClipId) : undefined,
  ])
  const decision = withWallClockJobTimes(editAutomation(workspace, blueprint, edit, { accounts, clip }, now), realNow)
  return { decision, blockers: blockersOf(workspace, decision.video, accounts, now) }
}

/** The automation after it has decided on a slot that is due: an edit of its schedule would pass it over. */
async function loadReconciled(workspaceId: string, automationId: string, now: string): Promise<Blueprint> {
  const blueprint = await getBlueprint(workspaceId, automationId)
  const { nextSlot } = blueprint.automation
  if (!nextSlot || nextSlot.at > now) return blueprint
  await reconcileAutomation(workspaceId, automationId, null)
  return getBlueprint(workspaceId, automationId)
}

const accountsOf = async (workspaceId: string, profileId: string) => (await getProfile(workspaceId, profileId)).accounts

async function accountsOfDestination(video: Video, edit: AutomationEdit = {}): Promise<Account[]> {
  const { profileId } = destinationAfter(video, edit)
  return profileId ? ((await findProfile(video.workspaceId, profileId))?.accounts ?? []) : []
}

/** Makes a video a blueprint or a plain one; undefined where it is what is asked for. */
export async function decidePromotion(
  workspaceId: string,
  videoId: string,
  enabled: boolean,
  realNow: string,
): Promise<{ video: Video; decision: VideoDecision | undefined; workspace: Workspace }> {
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, videoId)])
  const now = workspaceNow(workspace, realNow)
  const waitingClipId = video.automation?.waitingClipId
  const clip = !enabled && waitingClipId ? await findClip(workspaceId, waitingClipId) : undefined
  const decision = enabled ? promote(workspace, video, now) : demote(video, clip, now)
  return { workspace, video, decision: decision && withWallClockJobTimes(decision, realNow) }
}

/** What stands in the way of an automation. */
export const loadBlockers = async (workspace: Workspace, video: Video, now: string) =>
  blockersOf(workspace, video, await accountsOfDestination(video), workspaceNow(workspace, now))
