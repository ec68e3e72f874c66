/**
 * Edits, promotes and demotes automations. Called by the automation routes and the promote route; each decision reads
 * the blueprint, its waiting clip and the accounts of its destination.
 */

import { demote, promote } from '../../domain/automations/automation-lifecycle.ts'
import { type BlockerId, blockersOf } from '../../domain/automations/blockers.ts'
import type { Blueprint } from '../../domain/automations/blueprint.ts'
import { type AutomationEdit, destinationAfter, editAutomation } from '../../domain/automations/edit-automation.ts'
import type { Account } from '../../domain/records/account.ts'
import type { VideoDecision } from '../../domain/records/decision.ts'
import type { Video } from '../../domain/records/video.ts'
import { decideForWorkspace } from '../../domain/workspaces/test-clock.ts'
import type { Workspace } from '../../domain/workspaces/workspace.ts'
import { workspaceNow } from '../../domain/workspaces/workspace.ts'
import { findProfile, getProfile } from '../../store/profiles.ts'
import { findVideo, getVideo } from '../../store/videos.ts'
import { getWorkspace } from '../../store/workspaces.ts'
import { getBlueprint } from './load-automation.ts'
import { reconcileAutomation } from './reconcile-automation.ts'

/** `blockers`: what the automation still needs after the decision. */
export interface AutomationEditResult {
  decision: VideoDecision
  blockers: { id: BlockerId; label: string }[]
}

/** @throws Refusal `not-found` where the automation, or the profile that the edit names, does not exist. */
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
    waitingClipId ? findVideo(workspaceId, waitingClipId) : undefined,
  ])
  const decision = decideForWorkspace(workspace, realNow, (at) =>
    editAutomation(workspace, blueprint, edit, { accounts, clip }, at),
  )
  return { decision, blockers: blockersOf(workspace, decision.video, accounts, now) }
}

/** Reconciles first where a slot is due: an edit of the schedule would skip it. */
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

/** Turns a video into a blueprint, or a blueprint into a video. No decision where it already is one. */
export async function decidePromotion(
  workspaceId: string,
  videoId: string,
  enabled: boolean,
  realNow: string,
): Promise<{ video: Video; decision: VideoDecision | undefined; workspace: Workspace }> {
  const [workspace, video] = await Promise.all([getWorkspace(workspaceId), getVideo(workspaceId, videoId)])
  const waitingClipId = video.automation?.waitingClipId
  const clip = !enabled && waitingClipId ? await findVideo(workspaceId, waitingClipId) : undefined
  const decision = decideForWorkspace(workspace, realNow, (at) =>
    enabled ? promote(workspace, video, at) : demote(video, clip, at),
  )
  return { workspace, video, decision }
}

/** What an automation still needs before it can publish. */
export const loadBlockers = async (workspace: Workspace, video: Video, now: string) =>
  blockersOf(workspace, video, await accountsOfDestination(video), workspaceNow(workspace, now))
