/**
 * Writes the immutable manifest of what the video shows now and claims the run with it in one commit. Edited scenes
 * have to be narrated and animated first: then the run is not claimed yet, and the output says what is missing.
 */
import { getJson, hasObject } from '../../../lib/aws/media-bucket.ts'
import { now } from '../../../lib/clock.ts'
import { artefactKey } from '../../../lib/domain/core/artefact.ts'
import { JobFailure } from '../../../lib/domain/core/failures.ts'
import type { RenderJob } from '../../../lib/domain/records/jobs.ts'
import { beginRender } from '../../../lib/domain/videos/job-transitions.ts'
import { env } from '../../../lib/env.ts'
import { type RunInput, runInput, step } from '../../../lib/pipelines/step.ts'
import { compose } from '../../../lib/render/compose.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import { planBatches } from '../../../lib/render/segments/batches.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { loadTimeline, type MissingInput } from '../../../lib/use-cases/generation/load-timeline.ts'
import { changeVideo, loadOpenRunVideo } from '../../../lib/use-cases/videos/change-video.ts'

export const handler = step(runInput, 'render-failed', async (run) => {
  await loadOpenRunVideo(run, 'render')
  const workspace = await getWorkspace(run.workspaceId)
  let composition: Composition | undefined
  let missing: MissingInput | undefined
  const { render } = await changeVideo(run, async (video) => {
    const owner = { workspace, videoId: video.id }
    const timeline = await loadTimeline(workspace, video)
    missing = typeof timeline === 'string' ? timeline : undefined
    if (typeof timeline === 'string') return undefined
    composition = composed(() => compose(video, timeline))
    const key = artefactKey(owner, 'manifests', composition, 'json')
    await storeJson(owner, key, composition)
    return beginRender(video, run.runId, key, now())
  })
  return {
    lacks: missing ?? 'nothing',
    batches: composition && render ? await batchesFor(run, composition, render) : [],
  }
})

/** The inputs of parallel render tasks: the frames of each, with the ids of the run. */
async function batchesFor(run: RunInput, composition: Composition, { previousManifestKey: key }: RenderJob) {
  const before = key !== undefined && (await hasObject(key)) ? await getJson<Composition>(key) : undefined
  const batches = planBatches(composition, before, env.renderTasksMax())
  return batches.map(({ from, to }) => ({ ...run, from: String(from), to: String(to) }))
}

/** A composition that fails would fail again on a retry. */
function composed<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError) throw new JobFailure('render-failed', error.message)
    throw error
  }
}
