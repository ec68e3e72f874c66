/** Animates a portrait that speaks the narration of a b-roll segment, while the request waits. */

import * as routes from '../../../lib/contract/routes/timelines.ts'
import type { BRoll } from '../../../lib/domain/generation/b-rolls.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { presenterJob } from '../../../lib/use-cases/sync-jobs/presenter-job.ts'
import { runSyncJob } from '../../../lib/use-cases/sync-jobs/run-sync-job.ts'

export const handler = endpoint(routes.makePresenter, ({ params, body, ...request }) =>
  runSyncJob<BRoll>(params.id, presenterJob(params, body), request),
)
