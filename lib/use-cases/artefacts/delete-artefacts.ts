/** Removes what a video no longer needs of what was made for it, and gives the bytes back to its workspace. */
import { deleteObject } from '../../aws/delete-media.ts'
import { type ArtefactKind, videoKeyPrefix } from '../../domain/core/artefact.ts'
import { listObjects, releaseObject, type StorageOwner } from '../../store/storage-usage.ts'

const atOnce = 4

/** Removes all artefacts of a kind but those under the keys `kept`. */
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
 * Removes artefacts by their keys; those that are not there are gone already. The bytes are given back first: who dies in between leaves
 * an object that nobody pays for and that goes with its video. Otherwise it would be a price for nothing.
 */
export async function deleteArtefacts(owner: StorageOwner, keys: readonly string[]): Promise<void> {
  const waiting = [...keys]
  const work = async () => {
    for (let key = waiting.shift(); key; key = waiting.shift()) {
      await releaseObject(owner, key.slice(videoKeyPrefix(owner).length))
      await deleteObject(key)
    }
  }
  const all = Array.from({ length: atOnce }, work)
  // Who is told of a failure may go on with other work, in which nothing may vanish any more.
  await Promise.allSettled(all)
  await Promise.all(all)
}
