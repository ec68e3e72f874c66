/** Pauses all active automations of a workspace, and resumes them. Called by the admin script and by suspensions. */
import { now } from '../../clock.ts'
import { isBlueprint } from '../../domain/automations/blueprint.ts'
import { pauseForOwner, resumeForOwner } from '../../domain/automations/pause-all.ts'
import type { Automation } from '../../domain/records/automation.ts'
import { decideForWorkspace } from '../../domain/workspaces/test-clock.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import { findVideo } from '../../store/videos.ts'
import { getWorkspace } from '../../store/workspaces.ts'
import { iterateAutomations } from './load-automation.ts'

type PauseReason = NonNullable<Automation['pausedBy']>

/** One decision for each automation. Idempotent: returns how many it changed. */
export const pauseAutomations = (workspaceId: string, reason: PauseReason): Promise<number> =>
  changeAutomations(workspaceId, 'active', (automationId) => pause(workspaceId, automationId, reason))

/** Resumes those that `pauseAutomations` paused for this reason. Idempotent: returns how many it changed. */
export const resumeAutomations = (workspaceId: string, reason: PauseReason): Promise<number> =>
  changeAutomations(workspaceId, 'paused', (automationId) => resume(workspaceId, automationId, reason))

async function changeAutomations(
  workspaceId: string,
  status: Automation['status'],
  change: (automationId: string) => Promise<boolean>,
): Promise<number> {
  let changed = 0
  for await (const { id, automation } of iterateAutomations(workspaceId))
    if (automation.status === status && (await retryOnConflict(() => change(id)))) changed++
  return changed
}

async function pause(workspaceId: string, automationId: string, reason: PauseReason): Promise<boolean> {
  const [workspace, blueprint] = await Promise.all([getWorkspace(workspaceId), findVideo(workspaceId, automationId)])
  if (!blueprint || !isBlueprint(blueprint)) return false
  const { waitingClipId } = blueprint.automation
  const clip = waitingClipId ? await findVideo(workspaceId, waitingClipId) : undefined
  const decision = decideForWorkspace(workspace, now(), (at) => pauseForOwner(blueprint, clip, reason, at))
  if (decision) await commit(decision)
  return decision !== undefined
}

async function resume(workspaceId: string, automationId: string, reason: PauseReason): Promise<boolean> {
  const [workspace, blueprint] = await Promise.all([getWorkspace(workspaceId), findVideo(workspaceId, automationId)])
  if (!blueprint || !isBlueprint(blueprint)) return false
  const decision = decideForWorkspace(workspace, now(), (at) => resumeForOwner(blueprint, reason, at))
  if (decision) await commit(decision)
  return decision !== undefined
}
