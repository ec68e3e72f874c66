/** Keeps rendered segments in storage, as artefacts of their video: whoever renders it next finds them. */
import { extname } from 'node:path'
import { keepFile, type Owner } from '../../lib/actions/keep.ts'
import { downloadFile, hasObject } from '../../lib/aws/media.ts'
import { artefactKey } from '../../lib/domain/artefact.ts'
import { Refusal } from '../../lib/domain/refusal.ts'
import { log } from '../../lib/log.ts'

/** Where rendered parts of films are kept, by their names. */
export interface SegmentStore {
  /** Brings a part to `path`; false where it is not there. */
  fetch: (name: string, path: string) => Promise<boolean>
  keep: (name: string, path: string) => Promise<void>
}

/** `keyOf` tells where in storage a part lies. */
export function segmentStore(owner: Owner): SegmentStore & { keyOf: (name: string) => string } {
  const keyOf = (name: string) => artefactKey(owner, 'segments', name, extname(name).slice(1))
  return {
    keyOf,
    fetch: async (name, path) => {
      if (!(await hasObject(keyOf(name)))) return false
      await downloadFile(keyOf(name), path)
      return true
    },
    keep: async (name, path) => {
      try {
        await keepFile(owner, keyOf(name), path, extname(name) === '.m4a' ? 'audio/mp4' : 'video/mp4')
      } catch (error) {
        // The render goes on without: it has the file.
        if (!isFull(error)) throw error
        log.info('segment.not-kept', { videoId: owner.videoId, reason: error.message })
      }
    },
  }
}

/** Whether the plan has no room for another object. */
export const isFull = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.code === 'warning-plan-storage'
