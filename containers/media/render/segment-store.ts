/** Stores rendered segments as artefacts of their video, so that the next render can reuse them. */
import { extname } from 'node:path'
import { downloadIfExists } from '../../../lib/aws/media-bucket.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { Superseded } from '../../../lib/domain/core/failures.ts'
import { Refusal } from '../../../lib/domain/core/refusal.ts'
import { log } from '../../../lib/log.ts'
import type { StorageOwner } from '../../../lib/store/storage-usage.ts'
import { batchedCounter } from '../../../lib/use-cases/artefacts/batched-counter.ts'
import { storeArtefactFile } from '../../../lib/use-cases/artefacts/store-artefact.ts'

/** A cache of segments, soundtracks and thumbnails by name. It only saves time: its failures are logged and ignored. */
export interface SegmentStore {
  /** Downloads an object to `path`; false when it does not exist. */
  fetch: (name: string, path: string, signal: AbortSignal) => Promise<boolean>
  put: (name: string, path: string, signal: AbortSignal) => Promise<void>
  /** Objects are no longer put in batches: the last ones are on their way. */
  flush?: () => void
}

/** The share of the plan's storage that segments may fill. The rest is for renders and their inputs. */
const share = 0.8

const contentTypes: Record<string, string> = { '.mp4': 'video/mp4', '.m4a': 'audio/mp4', '.jpg': 'image/jpeg' }

/** `keyOf` maps a name to its storage key. */
export function segmentStore(owner: StorageOwner): SegmentStore & { keyOf: (name: string) => string } {
  const counter = batchedCounter(owner, share)
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
        const count = (object: string, bytes: number) => counter.count(object, bytes, signal)
        await storeArtefactFile(owner, keyOf(name), path, contentTypes[extname(name)]!, { count, signal })
      } catch (error) {
        logOrRethrow('segment.not-kept', error, owner, signal)
      }
    },
    flush: counter.flush,
  }
}

/** Logs the failure, and rethrows it where the render must end: after an abort, or when its run is superseded. */
function logOrRethrow(event: string, error: unknown, { videoId }: StorageOwner, signal: AbortSignal): void {
  if (signal.aborted || error instanceof Superseded) throw error
  if (isStorageFull(error)) log.info(event, { videoId, reason: error.message })
  else log.warn(event, { videoId, error: error as Error })
}

/** Whether the plan's storage limit refused the object. */
export const isStorageFull = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.code === 'warning-plan-storage'
