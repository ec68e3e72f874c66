/** The job that draws a new still of a scene. */
import { getTimelines } from '../../aws/timelines.ts'
import type { BodyOf, ParamsOf } from '../../contract/route.ts'
import type { drawSceneImage } from '../../contract/routes/scenes.ts'
import { planSceneImage } from '../../domain/generation/scenes/scene-image.ts'
import { creditPrices } from '../../domain/workspaces/plan.ts'
import { priceOf, refuseFullStorage } from '../../domain/workspaces/price.ts'
import type { SyncJobPlan } from './sync-job-plan.ts'

export const sceneImageJob = (
  { sceneId }: Pick<ParamsOf<typeof drawSceneImage>, 'sceneId'>,
  body: BodyOf<typeof drawSceneImage>,
): SyncJobPlan => ({
  kind: 'image',
  target: sceneId,
  input: body,
  check: async (video) => {
    planSceneImage(video, (await getTimelines(video, ['scenes'])).scenes, sceneId, body.prompt)
  },
  price: (workspace, _video, at) => {
    const price = priceOf(workspace, creditPrices.sceneImage, 'video', at)
    refuseFullStorage(workspace)
    return price
  },
})
