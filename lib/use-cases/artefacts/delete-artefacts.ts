/**
 * Deletes artefacts that a video no longer needs and returns their bytes to the quota. Called by the container command
 * `render-video`.
 */
import { deleteObjects } from '../../aws/delete-media.ts'
import { type ArtefactKind, videoKeyPrefix } from '../../domain/core/artefact.ts'
import { listObjects, objectsPerTransaction, releaseObjects, type StorageOwner } from '../../store/storage-usage.ts'

/** Deletes all artefacts of a kind except those under the keys `kept`. */
export async function deleteArtefactsExcept(
  owner: StorageOwner,
  kind: ArtefactKind,
  kept: ReadonlySet<string>,
): Promise<void> {
  const names = await listObjects(owner.workspace.id, owner.videoId, `${kind}/`)
  const keys = names.map((name) => `${videoKeyPrefix(owner)}${name}`)
  await deleteArtefacts(
    owner,
    keys.filter((key) => !kept.has(key)),
  )
}

/**
 * Idempotent; two requests for each batch. Releases the bytes first: a crash in between leaves objects that are not
 * charged and are deleted with their video. The opposite order would leave a charge without an object.
 */
export async function deleteArtefacts(owner: StorageOwner, keys: readonly string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += objectsPerTransaction) {
    const batch = keys.slice(start, start + objectsPerTransaction)
    await releaseObjects(
      owner,
      batch.map((key) => key.slice(videoKeyPrefix(owner).length)),
    )
    await deleteObjects(batch)
  }
}
