/** Stitches the film of an ai video without its captions, as the source of the video that it is converted into. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { getJson, hasObject } from '../../../lib/aws/media-bucket.ts'
import { captionlessRenderKey, renderToConvert } from '../../../lib/domain/videos/conversion.ts'
import { renderSecondsMax } from '../../../lib/domain/workspaces/plan.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import { rendererVersion } from '../../../lib/render/segments/segment-key.ts'
import { reportProgress } from '../../../lib/store/videos.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeArtefactFile } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { progressWriter } from '../progress-writer.ts'
import type { JobTask } from '../task.ts'
import { mediaFilesFor } from './media-files.ts'
import { publicRenderError } from './public-render-error.ts'
import { renderVideo } from './renderer.ts'
import { segmentStore } from './segment-store.ts'

/** What no caption covers is not rendered again: its segments are kept. */
export async function stitchSource({ run, video, directory, signal }: JobTask): Promise<void> {
  const workspace = await getWorkspace(run.workspaceId)
  const owner = { workspace, videoId: video.id }
  const { manifestKey } = renderToConvert(video)
  const key = captionlessRenderKey(owner, manifestKey, rendererVersion)
  if (await hasObject(key)) return
  const composition: Composition = { ...(await getJson<Composition>(manifestKey)), pages: [] }
  const { runId, attempt } = video.process!
  const lost = new AbortController()
  const progress = progressWriter(
    (percent) => reportProgress(video, 'process', { runId, attempt }, { progress: percent }),
    (reason) => lost.abort(reason),
  )
  const scratch = join(directory, 'render')
  await mkdir(scratch)
  const film = await renderVideo({
    composition,
    ...(await mediaFilesFor(composition, join(directory, 'media'))),
    store: segmentStore(owner),
    directory: scratch,
    onProgress: progress.report,
    signal: AbortSignal.any([signal, lost.signal]),
    timeoutMs: renderSecondsMax(workspace.planId) * 1000,
  }).catch((failure) => {
    throw lost.signal.aborted ? lost.signal.reason : publicRenderError(failure, workspace.planId)
  })
  await progress.flush()
  await storeArtefactFile(owner, key, film.videoPath, 'video/mp4')
}
