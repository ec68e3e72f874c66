/**
 * Builds the request that the commands of renders and their parts, and `stitch-source`, pass to
 * `render-composition.ts`: scratch directories, media of the manifest, segment store, progress and the plan's time limit.
 * Each command decides what is rendered and where the result is stored.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { renderSecondsMax } from '../../../lib/domain/workspaces/plan.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import type { StorageOwner } from '../../../lib/store/storage-usage.ts'
import { withProgress } from '../progress-writer.ts'
import type { TaskContext } from '../task.ts'
import { mediaFilesFor } from './media-files.ts'
import type { RenderRequest } from './render-request.ts'
import { type SegmentStore, segmentStore } from './segment-store.ts'

interface RenderRequestOptions {
  owner: StorageOwner
  composition: Composition
  /** Stores the progress, in whole percent. Throws `Superseded` when the run is lost. Default: nothing is stored. */
  writeProgress?: (percent: number) => Promise<void>
  /** Maps a failure of the render to the error that ends the task; by default the failure itself. */
  toTaskError?: (failure: unknown) => unknown
}

/** Calls `render` with the request of a task. The scratch directory of the task must not hold another render. */
export function withRenderRequest<Result>(
  { directory, signal }: TaskContext,
  { owner, composition, writeProgress = async () => {}, toTaskError }: RenderRequestOptions,
  render: (request: RenderRequest & { store: SegmentStore }) => Promise<Result>,
): Promise<Result> {
  const options = { signal, write: writeProgress, ...(toTaskError && { toTaskError }) }
  return withProgress(options, async (progress) => {
    const scratch = join(directory, 'render')
    await mkdir(scratch)
    return render({
      composition,
      ...(await mediaFilesFor(composition, join(directory, 'media'))),
      store: segmentStore(owner),
      directory: scratch,
      onProgress: progress.report,
      signal: progress.signal,
      timeoutMs: renderSecondsMax(owner.workspace.planId) * 1000,
    })
  })
}
