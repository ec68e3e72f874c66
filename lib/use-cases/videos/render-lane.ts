/** Plans where a render runs, from what is stored and the limits of the deployment. Called by pipeline steps. */
import { getJson, hasObject } from '../../aws/media-bucket.ts'
import type { ArtefactOwner } from '../../domain/core/artefact.ts'
import { renderArtefactKey } from '../../domain/videos/render-key.ts'
import { env } from '../../env.ts'
import type { Composition } from '../../render/composition.ts'
import { type LanePlan, planLane } from '../../render/segments/lane.ts'
import { missingSegments } from '../../render/segments/missing-segments.ts'
import { mediaKeysOf } from '../../render/segments/render-plan.ts'
import { rendererVersion } from '../../render/segments/segment-key.ts'
import { countedBytes } from '../../store/storage-usage.ts'

/** `previousManifestKey`: of the render whose segments may be stored. */
export async function renderLane(
  owner: ArtefactOwner,
  composition: Composition,
  previousManifestKey: string | undefined,
): Promise<LanePlan> {
  const previous = await findRenderedManifest(owner, previousManifestKey)
  const missing = missingSegments(composition, previous)
  return planLane(composition, missing, await countedBytes(mediaKeysOf(missing)), {
    functionsMax: env.renderFunctionsMax(),
    functionVcpus: env.renderFunctionVcpus(),
    tasksMax: env.renderTasksMax(),
  })
}

/** Undefined where this version of the renderer has no complete render of the manifest, and so none of its segments. */
async function findRenderedManifest(owner: ArtefactOwner, key: string | undefined): Promise<Composition | undefined> {
  const isRendered = key !== undefined && (await hasObject(renderArtefactKey(owner, key, rendererVersion, 'json')))
  return isRendered ? getJson<Composition>(key) : undefined
}
