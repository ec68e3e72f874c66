/**
 * Reconciles an upload with its file in storage. Called by the worker `receive-upload` on the S3 event, by the route
 * that gets an upload, and by the sweeper; the version of the upload lets one of them win, so that one file creates one
 * video.
 */
import { deleteSource, findSource } from '../../aws/sources.ts'
import { now } from '../../clock.ts'
import { notFound, Refusal } from '../../domain/core/refusal.ts'
import type { Upload } from '../../domain/records/upload.ts'
import { nextUploadCheckAt, resolveUpload, uploadOfKey } from '../../domain/uploads/upload-lifecycle.ts'
import { log } from '../../log.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import type { Key } from '../../store/core/keys.ts'
import { keys } from '../../store/core/keys.ts'
import { postpone } from '../../store/due-index.ts'
import type { StorageOwner } from '../../store/storage-usage.ts'
import { findUploadByKey } from '../../store/uploads.ts'
import { findVideoByKey } from '../../store/videos.ts'
import { getWorkspace } from '../../store/workspaces.ts'
import { countStored } from '../artefacts/store-artefact.ts'

/** Settles an upload whose file has arrived or whose time is over; returns the resulting record. */
export async function receiveUpload(seen: Upload): Promise<Upload> {
  return retryOnConflict(async () => {
    const upload = await uploadNow(seen)
    if (upload.status !== 'waiting') return upload
    const [workspace, file] = await Promise.all([getWorkspace(upload.workspaceId), findSource(upload.sourceKey)])
    const decision = resolveUpload(workspace, upload, file, now())
    if (!decision) return upload
    await commit(decision)
    const { status } = decision.upload
    log.info('upload.settled', { workspaceId: upload.workspaceId, uploadId: upload.id, status })
    return decision.upload
  })
}

async function uploadNow({ workspaceId, id }: Upload): Promise<Upload> {
  const upload = await findUploadByKey(keys.upload(workspaceId, id))
  if (!upload) throw notFound('upload')
  return upload
}

/** Counts the file of an upload that an earlier version received, and deletes it where the quota has no room. Idempotent. */
export async function countSource(owner: StorageOwner, key: string, bytes: number): Promise<void> {
  try {
    await countStored(owner, key, bytes)
  } catch (error) {
    if (error instanceof Refusal) await deleteSource(key)
    throw error
  }
}

/**
 * Handles a stored file. Deletes it where no upload expects it and no video uses it: a presigned URL stays valid after
 * its upload.
 */
export async function receiveUploadedFile(key: string): Promise<void> {
  const { workspaceId, uploadId } = uploadOfKey(key)
  const upload = await findUploadByKey(keys.upload(workspaceId, uploadId))
  // The prefix also contains working copies of sources.
  if (upload?.sourceKey !== key) return
  const { status, videoId } = await receiveUpload(upload)
  if (status === 'waiting') throw new Error(`The file ${key} of a storage event does not exist.`)
  if (status === 'received' && (await findVideoByKey(keys.video(workspaceId, videoId)))) return
  await deleteSource(key)
}

/** Checks the file of a due upload whose storage event may be lost. */
export async function recoverUpload(key: Key): Promise<void> {
  const upload = await findUploadByKey(key)
  if (upload && (await receiveUpload(upload)).status === 'waiting')
    await postpone(key, nextUploadCheckAt(upload, now()))
}
