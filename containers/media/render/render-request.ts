/** The input of a render. */
import type { Composition } from '../../../lib/render/composition.ts'
import type { LocalFiles } from './materials.ts'
import type { SegmentStore } from './segment-store.ts'

export interface RenderRequest {
  composition: Composition
  /**
   * A path for every key that the composition names. The file must exist once `fetchFiles` has resolved for its key.
   */
  files: LocalFiles
  /** Downloads the files of these keys before they are read. */
  fetchFiles?: (keys: readonly string[], signal: AbortSignal) => Promise<void>
  /** Supplies stored segments and receives those that are rendered. */
  store?: SegmentStore
  /** An existing empty directory. */
  directory: string
  /** Whole percent from 0 to 99, never falling. */
  onProgress: (percent: number) => void
  signal: AbortSignal
  timeoutMs: number
  /** How long ffmpeg may run without output; see `FfmpegRun`. */
  stallMs?: number
  /** Number of rendering threads; by default the number of cores. */
  threads?: number
}
