/** Draws a new still of a scene, while the request waits. */

import { getTimelines } from '../../../lib/aws/timelines.ts'
import * as routes from '../../../lib/contract/routes/scenes.ts'
import { planSceneImage } from '../../../lib/domain/generation/scenes/scene-image.ts'
import type { Scene } from '../../../lib/domain/generation/scenes/scenes.ts'
import { creditPrices } from '../../../lib/domain/workspaces/plan.ts'
import { priceOf, refuseFullStorage } from '../../../lib/domain/workspaces/price.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { runSyncJob } from '../../../lib/use-cases/sync-jobs/run-sync-job.ts'

export const handler = endpoint(routes.drawSceneImage, ({ params, body, workspaceId, idempotencyScope }) =>
  runSyncJob<Scene>({
    workspaceId,
    videoId: params.id,
    kind: 'image',
    target: params.sceneId,
    input: body,
    idempotencyScope,
    check: async (video) => {
      planSceneImage(video, (await getTimelines(video, ['scenes'])).scenes, params.sceneId, body.prompt)
    },
    price: (workspace, _video, at) => {
      const price = priceOf(workspace, creditPrices.sceneImage, 'video', at)
      refuseFullStorage(workspace)
      return price
    },
  }),
)
