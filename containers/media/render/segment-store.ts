/** Keeps rendered segments in storage, as artefacts of their video: whoever renders it next finds them. */
import { extname } from 'node:path'
import { downloadIfExists } from '../../../lib/aws/media-bucket.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { Superseded } from '../../../lib/domain/core/failures.ts'
import { Refusal } from '../../../lib/domain/core/refusal.ts'
import { log } from '../../../lib/log.ts'
import { type StorageOwner, storeArtefactFile } from '../../../lib/use-cases/artefacts/store-artefact.ts'

/** Where rendered parts of films are kept, by their names. It saves time and nothing else: what it cannot do is only logged. */
export interface SegmentStore {
  /** Brings a part to `path`, unless it is told to stop; false where it is not there. */
  fetch: (name: string, path: string, signal: AbortSignal) => Promise<boolean>
  /** Gives up where it is told to stop. */
  put: (name: string, path: string, signal: AbortSignal) => Promise<void>
}

/** Of the plan's storage: the rest is for films and what they are made from. */
const share = 0.8

const contentTypes: Record<string, string> = { '.mp4': 'video/mp4', '.m4a': 'audio/mp4', '.jpg': 'image/jpeg' }

/** `keyOf` tells where in storage a part lies. */
export function segmentStore(owner: StorageOwner): SegmentStore & { keyOf: (name: string) => string } {
  const keyOf = (name: string) => artefactKey(owner, 'segments', name, extname(name).slice(1))
  return {
    keyOf,
    fetch: async (name, path, signal) => {
      try {
        return await downloadIfExists(keyOf(name), path, signal)
      } catch (error) {
        logOrRethrow('segment.not-fetched', error, owner, signal)
        return false
      }
    },
    put: async (name, path, signal) => {
      try {
        await storeArtefactFile(owner, keyOf(name), path, contentTypes[extname(name)]!, { share, signal })
      } catch (error) {
        logOrRethrow('segment.not-kept', error, owner, signal)
      }
    },
  }
}

/** The render goes on without, unless it is to end: it was told to, or its video is gone. */
function logOrRethrow(event: string, error: unknown, { videoId }: StorageOwner, signal: AbortSignal): void {
  if (signal.aborted || error instanceof Superseded) throw error
  if (isStorageFull(error)) log.info(event, { videoId, reason: error.message })
  else log.warn(event, { videoId, error: error as Error })
}

/** Whether the plan has no room for another object. */
export const isStorageFull = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.code === 'warning-plan-storage'
