/** Plans where a render runs, from what is stored and the limits of the deployment. Called by pipeline steps. */
import { env } from '../../env.ts'
import type { Composition } from '../../render/composition.ts'
import { type LanePlan, planLane } from '../../render/segments/lane.ts'
import { findVideoUsage, type StorageOwner } from '../../store/storage-usage.ts'

/** `previous`: the composition whose segments may be stored. Counts everything that the video stores as its media. */
export async function renderLane(
  { workspace, videoId }: StorageOwner,
  composition: Composition,
  previous: Composition | undefined,
): Promise<LanePlan> {
  const usage = await findVideoUsage(workspace.id, videoId)
  return planLane(composition, previous, usage?.storedBytes ?? 0, {
    functionsMax: env.renderFunctionsMax(),
    functionVcpus: env.renderFunctionVcpus(),
    tasksMax: env.renderTasksMax(),
  })
}
