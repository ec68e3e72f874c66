/** The operator suspends, resumes and deletes a workspace: the states, and who may be told why a key is refused. */
import { Refusal } from '../core/refusal.ts'
import type { ApiKey } from '../records/api-key.ts'
import type { Workspace } from './workspace.ts'

export type WorkspaceState = 'active' | 'suspended' | 'deleted' | 'erased'

export function workspaceState({ suspendedAt, deletedAt, erasedAt }: Workspace): WorkspaceState {
  if (erasedAt) return 'erased'
  if (deletedAt) return 'deleted'
  return suspendedAt ? 'suspended' : 'active'
}

/** A change of the state of a workspace and of its keys, for one transaction. */
export interface SuspensionDecision {
  before: Workspace
  after: Workspace
  /** How many keys the workspace has, without revoked ones: the commit fails if it counts more. */
  keyCount: number
  /** Keys to change. */
  keys: { before: ApiKey; after: ApiKey }[]
}

/**
 * Undefined where it is suspended with all its keys; a key that a restore has put back is marked by a repeat.
 * @throws Refusal `conflict` where it is deleted.
 */
export function suspendWorkspace(
  workspace: Workspace,
  keys: readonly ApiKey[],
  now: string,
): SuspensionDecision | undefined {
  refuseDeleted(workspace)
  const after = { ...workspace, suspendedAt: workspace.suspendedAt ?? now }
  return changed(workspace, after, keys, ({ suspendedAt = now, ...key }) => ({ ...key, suspendedAt }))
}

/** Undefined where neither it nor a key is suspended. @throws Refusal `conflict` where it is deleted. */
export function resumeWorkspace(workspace: Workspace, keys: readonly ApiKey[]): SuspensionDecision | undefined {
  refuseDeleted(workspace)
  const { suspendedAt: _suspendedAt, ...after } = workspace
  return changed(workspace, after, keys, ({ suspendedAt: _since, ...key }) => key)
}

function changed(
  before: Workspace,
  after: Workspace,
  keys: readonly ApiKey[],
  change: (key: ApiKey) => ApiKey,
): SuspensionDecision | undefined {
  const valid = keys.filter(({ revokedAt }) => !revokedAt)
  const changes = valid
    .map((key) => ({ before: key, after: change(key) }))
    .filter((one) => one.before.suspendedAt !== one.after.suspendedAt || one.before.revokedAt !== one.after.revokedAt)
  const isSame = before.suspendedAt === after.suspendedAt && before.deletedAt === after.deletedAt
  return isSame && changes.length === 0 ? undefined : { before, after, keyCount: valid.length, keys: changes }
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
  const { suspendedAt = now, deletedAt = now } = workspace
  const after = { ...workspace, suspendedAt, deletedAt, apiKeysUsed: 0 }
  return changed(workspace, after, keys, (key) => ({ ...key, revokedAt: now }))
}

function refuseDeleted({ id, deletedAt }: Workspace): void {
  if (deletedAt) throw new Refusal('conflict', `The workspace ${id} is being deleted since ${deletedAt}.`)
}
