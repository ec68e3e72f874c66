/** The command `stitch-source`: renders an ai video without captions, as the source of the video that it is converted into. */
import { getJson, hasObject } from '../../../lib/aws/media-bucket.ts'
import { captionlessRenderKey, renderToConvert } from '../../../lib/domain/videos/conversion.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import { rendererVersion } from '../../../lib/render/segments/segment-key.ts'
import { reportProgress } from '../../../lib/store/progress.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeArtefactFile } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import type { JobTask } from '../task.ts'
import { publicRenderError } from './public-render-error.ts'
import { renderComposition } from './render-composition.ts'
import { withRenderRequest } from './with-render-request.ts'

/** Segments without captions have the same keys as in the earlier render, so they come from the segment store. */
export async function stitchSource(task: JobTask): Promise<void> {
  const { run, video } = task
  const workspace = await getWorkspace(run.workspaceId)
  const owner = { workspace, videoId: video.id }
  const { manifestKey } = renderToConvert(video)
  const key = captionlessRenderKey(owner, manifestKey, rendererVersion)
  if (await hasObject(key)) return
  const { hook: _, ...manifest } = await getJson<Composition>(manifestKey)
  const composition: Composition = { ...manifest, pages: [] }
  const { runId, attempt } = video.process!
  const { videoPath } = await withRenderRequest(
    task,
    {
      owner,
      composition,
      writeProgress: (progress) => reportProgress(video, 'process', { runId, attempt }, { progress }),
      toTaskError: (failure) => publicRenderError(failure, workspace.planId),
    },
    renderComposition,
  )
  await storeArtefactFile(owner, key, videoPath, 'video/mp4')
}
