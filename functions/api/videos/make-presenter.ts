/** Animates a portrait that speaks the narration of a b-roll segment, while the request waits. */

import { getTimelines } from '../../../lib/aws/timelines.ts'
import * as routes from '../../../lib/contract/routes/timelines.ts'
import type { BRoll } from '../../../lib/domain/generation/b-rolls.ts'
import { planPresenter } from '../../../lib/domain/generation/presenter/presenter.ts'
import type { Video } from '../../../lib/domain/records/video.ts'
import { presenterPrice } from '../../../lib/domain/workspaces/plan.ts'
import { priceOf, refuseFullStorage } from '../../../lib/domain/workspaces/price.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { refusePortraitUrl } from '../../../lib/use-cases/generation/portrait-url.ts'
import { runSyncJob } from '../../../lib/use-cases/sync-jobs/run-sync-job.ts'

export const handler = endpoint(routes.makePresenter, ({ params, body, workspaceId, idempotencyScope }) => {
  const plan = async (video: Video) =>
    planPresenter(video, (await getTimelines(video, ['bRolls'])).bRolls, params.brollId, body)
  return runSyncJob<BRoll>({
    workspaceId,
    videoId: params.id,
    kind: 'presenter',
    target: params.brollId,
    input: body,
    idempotencyScope,
    check: async (video) => refusePortraitUrl((await plan(video)).who.imageUrl),
    price: async (workspace, video, at) => {
      const price = priceOf(workspace, presenterPrice((await plan(video)).durationMs), 'avatar', at)
      refuseFullStorage(workspace)
      return price
    },
  })
})
