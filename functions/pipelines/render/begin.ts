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
import { planLane } from '../../../lib/render/segments/lane.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { loadComposeInput, type MissingInput } from '../../../lib/use-cases/generation/load-compose-input.ts'
import { changeVideoWithResult, loadOpenRunVideo } from '../../../lib/use-cases/videos/change-video.ts'

export const handler = step(runInput, 'render-failed', async (run) => {
  await loadOpenRunVideo(run, 'render')
  const workspace = await getWorkspace(run.workspaceId)
  const { video, result } = await changeVideoWithResult<BeginResult>(run, async (current) => {
    const owner = { workspace, videoId: current.id }
    const loaded = await loadComposeInput(workspace, current)
    if ('missing' in loaded) return { decision: undefined, result: loaded }
    const composition = composeOrFail(() => compose(current, loaded.input))
    const key = artefactKey(owner, 'manifests', composition, 'json')
    await storeJson(owner, key, composition)
    return { decision: beginRender(current, run.runId, key, now()), result: { composition } }
  })
  // `lacks` is the name that the state machine reads.
  if ('missing' in result) return { lacks: result.missing, batches: [] }
  return { lacks: 'nothing', batches: video.render ? await batchesFor(run, result.composition, video.render) : [] }
})

type BeginResult = { composition: Composition } | { missing: MissingInput }

/** The inputs of parallel render tasks: the frames of each, with the ids of the run. */
async function batchesFor(run: RunInput, composition: Composition, { previousManifestKey: key }: RenderJob) {
  const before = key !== undefined && (await hasObject(key)) ? await getJson<Composition>(key) : undefined
  const limits = { functionsMax: 0, functionVcpus: 1, tasksMax: env.renderTasksMax() }
  const { parts } = planLane(composition, before, 0, limits)
  return parts.flatMap((part) =>
    part.part === 'segments' ? [{ ...run, from: String(part.from), to: String(part.to) }] : [],
  )
}

/** A composition that fails would fail again on a retry. */
function composeOrFail<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError) throw new JobFailure('render-failed', error.message)
    throw error
  }
}
