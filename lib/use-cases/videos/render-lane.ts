/** Plans where a render runs, from what is stored and the limits of the deployment. Called by pipeline steps. */
import { env } from '../../env.ts'
import type { Composition } from '../../render/composition.ts'
import { type LanePlan, planLane } from '../../render/segments/lane.ts'
import { missingSegments } from '../../render/segments/missing-segments.ts'
import { mediaKeysOf } from '../../render/segments/render-plan.ts'
import { countedBytes } from '../../store/storage-usage.ts'

/** `previous`: the composition whose segments may be stored. */
export async function renderLane(composition: Composition, previous: Composition | undefined): Promise<LanePlan> {
  const missing = missingSegments(composition, previous)
  return planLane(composition, missing, await countedBytes(mediaKeysOf(missing)), {
    functionsMax: env.renderFunctionsMax(),
    functionVcpus: env.renderFunctionVcpus(),
    tasksMax: env.renderTasksMax(),
  })
}
