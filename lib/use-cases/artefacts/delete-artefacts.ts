/**
 * Deletes artefacts that a video no longer needs and returns their bytes to the quota. Called by the container command
 * `render-video`.
 */
import { parallelLimit } from '../../async.ts'
import { deleteObject } from '../../aws/delete-media.ts'
import { type ArtefactKind, videoKeyPrefix } from '../../domain/core/artefact.ts'
import { listObjects, releaseObject, type StorageOwner } from '../../store/storage-usage.ts'

const concurrency = 4

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
 * Idempotent. Releases the bytes first: a crash in between leaves an object that is not charged and is deleted with its
 * video. The opposite order would leave a charge without an object. Ends only when every started deletion has, also
 * after a failure.
 */
export async function deleteArtefacts(owner: StorageOwner, keys: readonly string[]): Promise<void> {
  const deleteOne = async (key: string) => {
    await releaseObject(owner, key.slice(videoKeyPrefix(owner).length))
    await deleteObject(key)
  }
  await parallelLimit(
    keys.map((key) => () => deleteOne(key)),
    concurrency,
  )
}
