/**
 * Writes the immutable manifest of what the video shows now and claims the run with it in one commit. Edited scenes
 * have to be narrated and animated first: then the run is not claimed yet, and the output says what is missing.
 */
import { now } from '../../../lib/clock.ts'
import { type ArtefactOwner, artefactKey } from '../../../lib/domain/core/artefact.ts'
import { JobFailure } from '../../../lib/domain/core/failures.ts'
import type { RenderJob } from '../../../lib/domain/records/jobs.ts'
import { beginRender } from '../../../lib/domain/videos/job-transitions.ts'
import { type RunInput, runInput, step } from '../../../lib/pipelines/step.ts'
import { compose } from '../../../lib/render/compose.ts'
import type { Composition } from '../../../lib/render/composition.ts'
import type { RenderPart } from '../../../lib/render/segments/lane.ts'
import { expectBatches } from '../../../lib/store/progress.ts'
import { getWorkspace } from '../../../lib/store/workspaces.ts'
import { storeJson } from '../../../lib/use-cases/artefacts/store-artefact.ts'
import { loadComposeInput, type MissingInput } from '../../../lib/use-cases/generation/load-compose-input.ts'
import { changeVideoWithResult, loadOpenRunVideo } from '../../../lib/use-cases/videos/change-video.ts'
import { renderLane } from '../../../lib/use-cases/videos/render-lane.ts'

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
  if ('missing' in result) return { ...nothingToRender, lacks: result.missing }
  if (!video.render) return nothingToRender
  const lanes = await lanesOf(run, { workspace, videoId: video.id }, result.composition, video.render)
  return { lacks: 'nothing', ...lanes }
})

type BeginResult = { composition: Composition } | { missing: MissingInput }

const nothingToRender = { lacks: 'nothing', lane: 'function', parts: [], batches: [] }

/** The lane, with the commands of parallel functions and the inputs of parallel tasks. */
async function lanesOf(run: RunInput, owner: ArtefactOwner, composition: Composition, job: RenderJob) {
  const { lane, parts } = await renderLane(owner, composition, job.previousManifestKey)
  const batches = parts.filter(({ part }) => part === 'segments').length
  if (batches > 0) await expectBatches({ workspaceId: run.workspaceId, id: run.videoId }, run.runId, batches)
  return lane === 'task'
    ? { lane, parts: [], batches: parts.map(({ from, to }) => ({ ...run, from: String(from), to: String(to) })) }
    : { lane, parts: parts.map((part) => ({ command: commandOf(part, run) })), batches: [] }
}

function commandOf(part: RenderPart, { workspaceId, videoId, runId }: RunInput): string[] {
  const ids = [workspaceId, videoId, runId]
  return part.part === 'segments'
    ? ['render-batch', ...ids, String(part.from), String(part.to)]
    : [`render-${part.part}`, ...ids]
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
