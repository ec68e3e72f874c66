/**
 * Suspends and resumes a workspace. The keys are refused from the first transaction on; then, each by one decision, its
 * webhooks are disabled, its automations paused and its jobs ended. Called by the admin script.
 */
import { now } from '../../clock.ts'
import type { ApiKey } from '../../domain/records/api-key.ts'
import type { Webhook } from '../../domain/records/webhook.ts'
import { resumeWebhook, suspendWebhook, type WebhookDecision } from '../../domain/webhooks/webhook-lifecycle.ts'
import { resumeWorkspace, type SuspensionDecision, suspendWorkspace } from '../../domain/workspaces/suspension.ts'
import type { Workspace } from '../../domain/workspaces/workspace.ts'
import { listApiKeys } from '../../store/api-keys.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import { commitSuspension } from '../../store/suspension.ts'
import { findWebhook, listWebhooks } from '../../store/webhooks.ts'
import { getWorkspace } from '../../store/workspaces.ts'
import { pauseAutomations, resumeAutomations } from '../automations/pause-all.ts'
import { cancelJobs } from './cancel-jobs.ts'

/** How many records a call changed. */
export interface SuspensionCounts {
  keys: number
  webhooks: number
  automations: number
  jobs: number
}

/**
 * Idempotent, and resumed by a repeat: requests that were in progress may have started something, which the next call
 * ends. @throws Refusal `not-found`, or `conflict` for a deleted workspace.
 */
export async function suspend(workspaceId: string): Promise<SuspensionCounts> {
  const keys = await changeState(workspaceId, (workspace, apiKeys) => suspendWorkspace(workspace, apiKeys, now()))
  return {
    keys,
    webhooks: await changeWebhooks(workspaceId, suspendWebhook),
    automations: await pauseAutomations(workspaceId, 'suspension'),
    jobs: await cancelJobs(workspaceId, 'The workspace is suspended.'),
  }
}

/** Undoes a suspension, but for the jobs that it ended. Idempotent, and resumed by a repeat. */
export async function resume(workspaceId: string): Promise<Omit<SuspensionCounts, 'jobs'>> {
  const keys = await changeState(workspaceId, resumeWorkspace)
  return {
    keys,
    webhooks: await changeWebhooks(workspaceId, resumeWebhook),
    automations: await resumeAutomations(workspaceId, 'suspension'),
  }
}

/** Returns the number of changed keys. */
export function changeState(
  workspaceId: string,
  decide: (workspace: Workspace, keys: ApiKey[]) => SuspensionDecision | undefined,
): Promise<number> {
  return retryOnConflict(async () => {
    const [workspace, keys] = await Promise.all([getWorkspace(workspaceId), listApiKeys(workspaceId)])
    const decision = decide(workspace, keys)
    if (decision) await commitSuspension(decision)
    return decision?.keys.length ?? 0
  })
}

async function changeWebhooks(
  workspaceId: string,
  decide: (webhook: Webhook, now: string) => WebhookDecision | undefined,
): Promise<number> {
  let changed = 0
  for (const { id } of await listWebhooks(workspaceId))
    changed += await retryOnConflict(async () => {
      const webhook = await findWebhook(workspaceId, id)
      const decision = webhook && decide(webhook, now())
      if (decision) await commit(decision)
      return decision ? 1 : 0
    })
  return changed
}
