/** Draws a new still of a scene, while the request waits. */

import { getTimelines } from '../../../lib/aws/timelines.ts'
import * as routes from '../../../lib/contract/routes.ts'
import { prices } from '../../../lib/domain/plan.ts'
import { planImage } from '../../../lib/domain/scene-image.ts'
import type { Scene } from '../../../lib/domain/timelines/scenes.ts'
import { priceOf, refuseFullStorage } from '../../../lib/domain/workspace.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { perform } from '../../../lib/use-cases/sync-jobs/run-sync-job.ts'

export const handler = endpoint(routes.drawSceneImage, ({ params, body, workspaceId, answerScope }) =>
  perform<Scene>({
    workspaceId,
    videoId: params.id,
    kind: 'image',
    target: params.sceneId,
    input: body,
    answerScope,
    check: async (video) => {
      planImage(video, (await getTimelines(video, ['scenes'])).scenes, params.sceneId, body.prompt)
    },
    price: (workspace, _video, at) => {
      const price = priceOf(workspace, prices.sceneImage, 'video', at)
      refuseFullStorage(workspace)
      return price
    },
  }),
)
