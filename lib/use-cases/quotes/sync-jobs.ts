/** Quotes of the actions whose requests wait for a sync job. */
import type { Route } from '../../contract/route.ts'
import * as jobs from '../../contract/routes/jobs.ts'
import * as scenes from '../../contract/routes/scenes.ts'
import * as timelines from '../../contract/routes/timelines.ts'
import type { VendorWork } from '../../domain/generation/vendor-prices.ts'
import { descriptionJob } from '../sync-jobs/description-job.ts'
import { presenterJob } from '../sync-jobs/presenter-job.ts'
import { recutJob } from '../sync-jobs/recut-job.ts'
import { sceneImageJob } from '../sync-jobs/scene-image-job.ts'
import { priceSyncJob, type SyncJobPlan } from '../sync-jobs/sync-job-plan.ts'
import { type QuotedAction, quotedAction } from './quoted-action.ts'

type RequestOf<Row extends Route> = Parameters<QuotedAction<Row>['price']>[0]

/** `work` takes the seconds that a presenter speaks. */
const quotedJob = <Row extends Route>(
  row: Row,
  plan: (request: RequestOf<Row>) => SyncJobPlan,
  work: (seconds: number) => VendorWork,
) =>
  quotedAction<Row>({
    row,
    price: async (request) => {
      const { workspace, params, now } = request
      const { credits, unit, seconds } = await priceSyncJob(workspace, params.id, plan(request), now)
      return { credits, unit, seconds: seconds ?? null, work: work(seconds ?? 0) }
    },
  })

export const describeVideoQuote = quotedJob(
  jobs.describeVideo,
  ({ body }) => descriptionJob(body),
  () => ({ writer: 1 }),
)

export const drawSceneImageQuote = quotedJob(
  scenes.drawSceneImage,
  ({ params, body }) => sceneImageJob(params, body),
  () => ({ images: 1 }),
)

export const makePresenterQuote = quotedJob(
  timelines.makePresenter,
  ({ params, body }) => presenterJob(params, body),
  (seconds) => ({ avatars: seconds }),
)

export const recutPresentationQuote = quotedJob(timelines.recutPresentation, recutJob, () => ({ director: 1 }))
