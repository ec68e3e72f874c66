/** The input of a render. */
import type { Composition } from '../../../lib/render/composition.ts'
import type { LocalFiles } from './materials.ts'
import type { SegmentStore } from './segment-store.ts'

export interface RenderRequest {
  composition: Composition
  /** All that the composition names; a file needs to be there only when `fetchFiles` has been asked for it. */
  files: LocalFiles
  /** Brings files that are about to be read, by their keys, unless it is told to stop. */
  fetchFiles?: (keys: readonly string[], signal: AbortSignal) => Promise<void>
  /** Segments that are in it are not rendered again; those that are rendered are put into it. */
  store?: SegmentStore
  /** An empty directory that exists. */
  directory: string
  /** Whole percent from 0 to 99, never falling. */
  onProgress: (percent: number) => void
  signal: AbortSignal
  timeoutMs: number
  /** How long ffmpeg may go without a frame, a byte or a millisecond more; see `FfmpegRun`. */
  stallMs?: number
  /** How many segments are rendered at once; as many as there are cores where this is absent. */
  threads?: number
}
