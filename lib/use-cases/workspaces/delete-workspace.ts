/**
 * Deletes a workspace with everything that it owns but its ledger. Called by the admin script, at least twice: what
 * workers and uploads in progress still store is deleted by the call after their time limits. A call that was interrupted
 * is resumed by the next one.
 */
import { parallelLimit } from '../../async.ts'
import { deleteObjectsByPrefix } from '../../aws/delete-media.ts'
import { now } from '../../clock.ts'
import { disconnectAccount } from '../../domain/accounts/account-lifecycle.ts'
import { Refusal } from '../../domain/core/refusal.ts'
import { secondsAfter } from '../../domain/core/time.ts'
import { uploadOpenSecondsMax } from '../../domain/uploads/upload-lifecycle.ts'
import { removeWebhook } from '../../domain/webhooks/webhook-lifecycle.ts'
import { deleteWorkspace } from '../../domain/workspaces/suspension.ts'
import { log } from '../../log.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import { findProfile, listProfiles } from '../../store/profiles.ts'
import { findTokens } from '../../store/tokens.ts'
import { findWebhook, listWebhooks } from '../../store/webhooks.ts'
import { deleteWorkspaceRows, eraseWorkspaceRecord, listRootVideoIds } from '../../store/workspace-rows.ts'
import { getWorkspace, listWorkspaces } from '../../store/workspaces.ts'
import { removeVideo } from '../videos/remove-videos.ts'
import { changeState } from './suspend-workspace.ts'

export interface DeletionResult {
  /** What this call deleted. */
  deleted: { accounts: number; webhooks: number; videos: number; rows: number }
  /** When the command has to be repeated; null once nothing is left. */
  repeatAfter: string | null
}

/** `at`: tests pass a later time than now. @throws Refusal where the workspace must not be deleted. */
export async function deleteWorkspaceData(workspaceId: string, confirmed: string, at = now()): Promise<DeletionResult> {
  const others = await listWorkspaces()
  await changeState(workspaceId, (workspace, keys) => deleteWorkspace(workspace, keys, { confirmed, others }, now()))
  const deleted = {
    webhooks: await removeWebhooks(workspaceId),
    accounts: await disconnectAccounts(workspaceId),
    videos: await removeVideos(workspaceId),
    rows: 0,
  }
  const { deletedAt } = await getWorkspace(workspaceId)
  const repeatAfter = secondsAfter(deletedAt!, uploadOpenSecondsMax)
  if (at < repeatAfter || deleted.videos > 0) return { deleted, repeatAfter: at < repeatAfter ? repeatAfter : at }
  await deleteObjectsByPrefix(`${workspaceId}/`)
  deleted.rows = await deleteWorkspaceRows(workspaceId)
  await eraseWorkspaceRecord(workspaceId, at)
  log.info('workspace.erased', { workspaceId, ...deleted })
  return { deleted, repeatAfter: null }
}

async function removeWebhooks(workspaceId: string): Promise<number> {
  const webhooks = await listWebhooks(workspaceId)
  for (const { id } of webhooks)
    await retryOnConflict(async () => {
      const webhook = await findWebhook(workspaceId, id)
      if (webhook) await commit(removeWebhook(webhook, now()))
    })
  return webhooks.length
}

/** With their tokens. */
async function disconnectAccounts(workspaceId: string): Promise<number> {
  const accounts = (await listProfiles(workspaceId)).flatMap((profile) => profile.accounts)
  for (const { id, profileId } of accounts)
    await retryOnConflict(async () => {
      const account = (await findProfile(workspaceId, profileId))?.accounts.find((one) => one.id === id)
      if (account) await commit(disconnectAccount(account, await findTokens(account), now()))
    })
  return accounts.length
}

const removalsAtOnce = 4

/** Each with its clips, its jobs and its files. The list still shows deleted ones for a moment. */
async function removeVideos(workspaceId: string): Promise<number> {
  let removed = 0
  const remove = async (videoId: string) => {
    try {
      await removeVideo(workspaceId, videoId)
      removed++
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  const ids = await listRootVideoIds(workspaceId)
  await parallelLimit(
    ids.map((id) => () => remove(id)),
    removalsAtOnce,
  )
  return removed
}
