/** The operator suspends, resumes and deletes a workspace: the states, and who may be told why a key is refused. */
import { Refusal } from '../core/refusal.ts'
import type { ApiKey } from './api-key.ts'
import type { Workspace } from './workspace.ts'

export type WorkspaceState = 'active' | 'suspended' | 'deleted' | 'erased'

export function workspaceState({ suspendedAt, deletedAt, erasedAt }: Workspace): WorkspaceState {
  if (erasedAt) return 'erased'
  if (deletedAt) return 'deleted'
  return suspendedAt ? 'suspended' : 'active'
}

/** A change of the states of a workspace and of its keys, for one transaction. */
export interface SuspensionDecision {
  before: Workspace
  after: Workspace
  /** Keys that are not revoked, before and after. */
  keys: { before: ApiKey; after: ApiKey }[]
}

/** Undefined where it is suspended already. @throws Refusal `conflict` where it is deleted. */
export function suspendWorkspace(
  workspace: Workspace,
  keys: readonly ApiKey[],
  now: string,
): SuspensionDecision | undefined {
  refuseDeleted(workspace)
  if (workspace.suspendedAt) return undefined
  return {
    before: workspace,
    after: { ...workspace, suspendedAt: now },
    keys: valid(keys).map((before) => ({ before, after: { ...before, suspendedAt: now } })),
  }
}

/** Undefined where it is not suspended. @throws Refusal `conflict` where it is deleted. */
export function resumeWorkspace(workspace: Workspace, keys: readonly ApiKey[]): SuspensionDecision | undefined {
  refuseDeleted(workspace)
  if (!workspace.suspendedAt) return undefined
  const { suspendedAt: _suspendedAt, ...after } = workspace
  return {
    before: workspace,
    after,
    keys: valid(keys).map((before) => {
      const { suspendedAt: _since, ...resumed } = before
      return { before, after: resumed }
    }),
  }
}

/**
 * Begins the deletion: revokes the keys. Undefined where it has begun. `others`: all workspaces, of which none may belong
 * to it. @throws Refusal `invalid-request` where `confirmed` is not the name.
 */
export function deleteWorkspace(
  workspace: Workspace,
  keys: readonly ApiKey[],
  { confirmed, others }: { confirmed: string; others: readonly Workspace[] },
  now: string,
): SuspensionDecision | undefined {
  if (workspace.erasedAt)
    throw new Refusal('conflict', `The workspace ${workspace.id} was deleted at ${workspace.erasedAt}.`)
  if (confirmed !== workspace.name)
    throw new Refusal('invalid-request', `To delete the workspace ${workspace.id}, confirm its name: ${workspace.name}`)
  const own = others.filter(({ organizationId, erasedAt }) => organizationId === workspace.id && !erasedAt)
  if (own.length > 0)
    throw new Refusal('conflict', `Delete the workspaces of this one first: ${own.map(({ id }) => id).join(', ')}.`)
  if (workspace.deletedAt) return undefined
  return {
    before: workspace,
    after: { ...workspace, suspendedAt: workspace.suspendedAt ?? now, deletedAt: now, apiKeysUsed: 0 },
    keys: valid(keys).map((before) => ({ before, after: { ...before, revokedAt: now } })),
  }
}

const valid = (keys: readonly ApiKey[]) => keys.filter(({ revokedAt }) => !revokedAt)

function refuseDeleted({ id, deletedAt }: Workspace): void {
  if (deletedAt) throw new Refusal('conflict', `The workspace ${id} is being deleted since ${deletedAt}.`)
}
