/** Has a portrait speak the narration of a b-roll segment, while the request waits. */
import { perform } from '../../../lib/actions/act.ts'
import { refusePortrait } from '../../../lib/actions/portrait-address.ts'
import { endpoint } from '../../../lib/api/endpoint.ts'
import * as routes from '../../../lib/api/routes.ts'
import { getTimelines } from '../../../lib/aws/timelines.ts'
import { presenterPrice } from '../../../lib/domain/plan.ts'
import { planPresenter } from '../../../lib/domain/presenter.ts'
import type { BRoll } from '../../../lib/domain/timelines/brolls.ts'
import type { Video } from '../../../lib/domain/video.ts'
import { priceOf, refuseFullStorage } from '../../../lib/domain/workspace.ts'

export const handler = endpoint(routes.makePresenter, ({ params, body, workspaceId, answerScope }) => {
  const plan = async (video: Video) =>
    planPresenter(video, (await getTimelines(video, ['bRolls'])).bRolls, params.brollId, body)
  return perform<BRoll>({
    workspaceId,
    videoId: params.id,
    kind: 'presenter',
    target: params.brollId,
    input: body,
    answerScope,
    check: async (video) => refusePortrait((await plan(video)).who.imageUrl),
    price: async (workspace, video, at) => {
      const price = priceOf(workspace, presenterPrice((await plan(video)).durationMs), 'avatar', at)
      refuseFullStorage(workspace)
      return price
    },
  })
})
