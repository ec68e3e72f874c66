/** Removes what a video no longer needs of what was made for it, and gives the bytes back to its workspace. */
import { deleteObject } from '../aws/delete-media.ts'
import { type ArtefactKind, prefixOf } from '../domain/artefact.ts'
import { listObjects, type Owner, uncountObject } from '../store/objects.ts'

const atOnce = 4

/** Removes all artefacts of a kind but those under the keys `kept`. What is counted still was perhaps not removed: it is found again. */
export async function dropOthers(owner: Owner, kind: ArtefactKind, kept: ReadonlySet<string>): Promise<void> {
  const prefix = prefixOf(owner)
  const names = await listObjects(owner.workspace.id, owner.videoId, `${kind}/`)
  const dropped = names.filter((name) => !kept.has(`${prefix}${name}`))
  const work = async () => {
    for (let name = dropped.shift(); name; name = dropped.shift()) {
      await deleteObject(`${prefix}${name}`)
      await uncountObject(owner, name)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
