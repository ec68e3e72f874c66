/**
 * The arrival of an uploaded file. Whoever learns of it looks for itself and decides the same: the word of storage, a client
 * that asks, the sweeper. The upload's version lets one of them win, so that one file makes one video.
 */
import { deleteSource, findSource } from '../../aws/sources.ts'
import { now } from '../../clock.ts'
import { toJobError } from '../../domain/core/failures.ts'
import { notFound, Refusal } from '../../domain/core/refusal.ts'
import type { Upload } from '../../domain/records/upload.ts'
import { nextUploadCheckAt, resolveUpload, uploadOfKey } from '../../domain/uploads/upload.ts'
import { failJob } from '../../domain/videos/jobs.ts'
import { log } from '../../log.ts'
import { commit } from '../../store/core/commit.ts'
import { retryOnConflict } from '../../store/core/conflict-retry.ts'
import type { Key } from '../../store/core/keys.ts'
import { keys } from '../../store/core/keys.ts'
import { postpone } from '../../store/due-index.ts'
import { findUploadByKey } from '../../store/uploads.ts'
import { findVideoByKey } from '../../store/videos.ts'
import { getWorkspace } from '../../store/workspaces.ts'
import type { StorageOwner } from '../artefacts/store-artefact.ts'
import { countStored } from '../artefacts/store-artefact.ts'
import { changeVideo } from '../videos/change-video.ts'

/** Settles an upload whose file is there, or that nobody will fill any more; answers it as it then is. */
export async function receiveUpload(seen: Upload): Promise<Upload> {
  return retryOnConflict(async () => {
    const upload = await uploadNow(seen)
    if (upload.status !== 'waiting') return upload
    const [workspace, file] = await Promise.all([getWorkspace(upload.workspaceId), findSource(upload.sourceKey)])
    const decision = resolveUpload(workspace, upload, file, now())
    if (!decision) return upload
    await commit(decision)
    await applySettled(decision.upload, { workspace, videoId: upload.videoId })
    return decision.upload
  })
}

async function uploadNow({ workspaceId, id }: Upload): Promise<Upload> {
  const upload = await findUploadByKey(keys.upload(workspaceId, id))
  if (!upload) throw notFound('record')
  return upload
}

/** What came for an upload that failed is removed; what was received is counted. */
async function applySettled({ status, sourceKey, bytes, ...upload }: Upload, owner: StorageOwner): Promise<void> {
  log.info('upload.settled', { workspaceId: upload.workspaceId, uploadId: upload.id, status })
  if (status === 'failed') return deleteSource(sourceKey)
  try {
    await countSource(owner, sourceKey, bytes)
  } catch (error) {
    // Somebody else took the room since it was looked for: the video is there, and its generation ends with the reason.
    if (!(error instanceof Refusal)) throw error
    await changeVideo({ workspaceId: upload.workspaceId, videoId: upload.videoId }, (video) =>
      failJob(video, 'process', video.process!.runId, toJobError(error, 'transcription-failed'), now()),
    )
  }
}

/** Counts a file that lies in storage already; one for which there is no room is removed again. Done again, it changes nothing. */
export async function countSource(owner: StorageOwner, key: string, bytes: number): Promise<void> {
  try {
    await countStored(owner, key, bytes)
  } catch (error) {
    if (error instanceof Refusal) await deleteSource(key)
    throw error
  }
}

/** A file has come. One that no upload waits for, and that no video shows, is removed: the address outlives its purpose. */
export async function receiveUploadedFile(key: string): Promise<void> {
  const { workspaceId, uploadId } = uploadOfKey(key)
  const upload = await findUploadByKey(keys.upload(workspaceId, uploadId))
  // Other files lie there too: the working copies of sources.
  if (upload?.sourceKey !== key) return
  const { status, videoId } = await receiveUpload(upload)
  if (status === 'waiting') throw new Error(`Storage told of the file ${key}, which is not there.`)
  if (status === 'received' && (await findVideoByKey(keys.video(workspaceId, videoId)))) return
  await deleteSource(key)
}

/** Looks for the file of an upload of which nothing was told, by the key that the due index gave. */
export async function recoverUpload(key: Key): Promise<void> {
  const upload = await findUploadByKey(key)
  if (upload && (await receiveUpload(upload)).status === 'waiting')
    await postpone(key, nextUploadCheckAt(upload, now()))
}
