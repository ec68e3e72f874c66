/** The job that animates a portrait, which speaks the narration of a b-roll segment. */
import { getTimelines } from '../../aws/timelines.ts'
import type { BodyOf, ParamsOf } from '../../contract/route.ts'
import type { makePresenter } from '../../contract/routes/timelines.ts'
import { planPresenter } from '../../domain/generation/presenter/presenter.ts'
import type { Video } from '../../domain/records/video.ts'
import { presenterPrice } from '../../domain/workspaces/plan.ts'
import { priceOf, refuseFullStorage } from '../../domain/workspaces/price.ts'
import { refusePortraitUrl } from '../generation/portrait-url.ts'
import type { SyncJobPlan } from './sync-job-plan.ts'

export function presenterJob(
  { brollId }: Pick<ParamsOf<typeof makePresenter>, 'brollId'>,
  body: BodyOf<typeof makePresenter>,
): SyncJobPlan {
  const plan = async (video: Video) =>
    planPresenter(video, (await getTimelines(video, ['bRolls'])).bRolls, brollId, body)
  return {
    kind: 'presenter',
    target: brollId,
    input: body,
    check: async (video) => refusePortraitUrl((await plan(video)).who.imageUrl),
    price: async (workspace, video, at) => {
      const { durationMs } = await plan(video)
      const price = priceOf(workspace, presenterPrice(durationMs), 'avatar', at)
      refuseFullStorage(workspace)
      return { ...price, seconds: durationMs / 1000 }
    },
  }
}
